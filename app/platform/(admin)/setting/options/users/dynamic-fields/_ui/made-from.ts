import { useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { useFormMethods } from '@/components/form/form'
import { latinCode } from '@/lib/base/text/latin-code'

/** The code of a field for its title: Latin letters and digits, in one word. */
export const fieldCode = (title: string) =>
  latinCode(title, '')
    .replace(/^[\d-]+/, '')
    .replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The code of an item for its title. */
export const itemCode = (title: string) => latinCode(title, '')

/** Fills a field, such as a code, from another while that is typed, until somebody writes it themselves. */
export function useMadeFrom(title: string, code: string, make: (title: string) => string, enabled = true) {
  const { getValues, setValue } = useFormMethods()
  const typed = String(useWatch({ name: title }) ?? '')
  const last = useRef(make(typed))
  useEffect(() => {
    if (!enabled) return
    const made = make(typed)
    const now = String(getValues(code) ?? '')
    if (made !== now && (now === '' || now === last.current))
      setValue(code, made, { shouldDirty: true, shouldValidate: now !== '' })
    last.current = made
  }, [typed, code, make, enabled, getValues, setValue])
}
