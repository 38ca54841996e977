import { useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { useFormMethods } from '@/components/form/form'
import { latinCode } from '@/lib/base/text/latin-code'

/** Returns the code of a field for its title: Latin letters and digits, in one word. */
export const fieldCode = (title: string) =>
  latinCode(title, '')
    .replace(/^[\d-]+/, '')
    .replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Returns the code of an item for its title. */
export const itemCode = (title: string) => latinCode(title, '')

/** Fills a field, such as a code, from another field while that is typed, until the person edits it. */
export function useMadeFrom(title: string, code: string, make: (title: string) => string, enabled = true) {
  const { getValues, setValue } = useFormMethods()
  const typed = String(useWatch({ name: title }) ?? '')
  const lastGenerated = useRef(make(typed))
  useEffect(() => {
    if (!enabled) return
    const generated = make(typed)
    const current = String(getValues(code) ?? '')
    if (generated !== current && (current === '' || current === lastGenerated.current))
      setValue(code, generated, { shouldDirty: true, shouldValidate: current !== '' })
    lastGenerated.current = generated
  }, [typed, code, make, enabled, getValues, setValue])
}
