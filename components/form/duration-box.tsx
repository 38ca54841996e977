'use client'

import { cn } from '../ui/cn'
import { ChevronDown } from '../ui/icons'

type Duration = { value: number | string; unit: string }

type Props = {
  id: string
  value: Duration
  onChange: (value: Duration) => void
  onBlur?: () => void
  /** The units, in the form that goes with the number. */
  units: readonly { unit: string; text: string }[]
  /** The label of the unit's select. */
  unitLabel: string
  /** The label of number and unit as a group. */
  label: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

const part = 'h-10 bg-surface text-body text-ink pointer-coarse:h-11 pointer-coarse:text-[1rem]'

/** Returns typed text as a number, or the text itself if it is no number. */
export const numberFrom = (typed: string): number | string => (/^\d{1,15}$/.test(typed.trim()) ? Number(typed) : typed)

/** A number and its unit of time, in one frame. */
export function DurationBox({ id, value, onChange, onBlur, units, unitLabel, label, ...described }: Props) {
  return (
    <fieldset
      aria-label={label}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onBlur?.()
      }}
      className={cn(
        'flex w-52 min-w-0 max-w-full rounded-control border border-line-field transition-colors hover:border-ink-second',
        described['aria-invalid'] && 'border-danger hover:border-danger',
      )}
    >
      <input
        {...described}
        id={id}
        inputMode="numeric"
        autoComplete="off"
        maxLength={16}
        value={String(value.value)}
        onChange={(event) => onChange({ ...value, value: numberFrom(event.target.value) })}
        className={cn(part, 'w-20 rounded-l-control px-3 text-right tabular-nums')}
      />
      <div className="relative min-w-0 grow border-line-field border-l">
        <select
          aria-label={unitLabel}
          value={value.unit}
          onChange={(event) => onChange({ ...value, unit: event.target.value })}
          className={cn(part, 'w-full cursor-pointer appearance-none rounded-r-control pr-9 pl-3')}
        >
          {units.map(({ unit, text }) => (
            <option key={unit} value={unit}>
              {text}
            </option>
          ))}
        </select>
        <ChevronDown className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-second" />
      </div>
    </fieldset>
  )
}
