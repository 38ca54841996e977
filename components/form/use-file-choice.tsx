'use client'

import { useRef, useState } from 'react'

/** What may be uploaded; `max` in bytes. */
export type FileRule = { types: readonly string[]; max: number }

/**
 * Lets a person choose a file by a button of the caller. Returns `open` for the button, `input` to be rendered beside
 * it, and the fault of a file that the rule refuses; `onChoose` doesn't get such a file. `label` names the input.
 */
export function useFileChoice({
  rule,
  label,
  onChoose,
}: {
  rule: FileRule
  label: string
  onChoose: (file: File) => void
}) {
  const box = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<'wrongType' | 'tooLarge' | null>(null)
  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    const wrong = rule.types.includes(chosen.type) ? null : 'wrongType'
    const newFault = wrong ?? (chosen.size > rule.max ? 'tooLarge' : null)
    setFault(newFault)
    if (!newFault) onChoose(chosen)
  }
  const input = (
    <input
      ref={box}
      type="file"
      hidden
      accept={rule.types.join(',')}
      aria-label={label}
      onChange={({ target }) => {
        choose(target.files?.[0])
        // the same file may be chosen again
        target.value = ''
      }}
    />
  )
  return { open: () => box.current?.click(), input, fault }
}
