'use client'

import { cn } from '../ui/cn'
import { ChevronDown } from '../ui/icons'
import { AskedByContext, useLater } from '../ui/use-later'
import type { SelectBoxProps } from './select-box'
import { selectClasses } from './select-classes'

const load = () => import('./select-box').then(({ SelectBox }) => SelectBox)

/** A choice from a few options outside of a form. Its list is loaded when it is first used. */
export function Select(props: SelectBoxProps) {
  const { Part, asked, wake } = useLater(load)
  if (Part)
    return (
      <AskedByContext value={asked}>
        <Part {...props} />
      </AskedByContext>
    )
  const { options, value, onChange: _, clearable, placeholder, className, ...button } = props
  const chosen = options.find((option) => option.value === value)?.label
  return (
    <button
      {...button}
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      data-placeholder={chosen === undefined ? '' : undefined}
      {...wake}
      className={cn(selectClasses, className)}
    >
      <span className="truncate">{chosen ?? placeholder}</span>
      <ChevronDown className="size-4 shrink-0 text-ink-second" />
    </button>
  )
}
