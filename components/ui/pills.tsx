import type { ComponentProps } from 'react'
import { Pill } from './pill'

type Props = { of: readonly { text: string; tone?: ComponentProps<typeof Pill>['tone'] }[]; none: string }

/** Several statuses of a row, or a text if there are none. */
export function Pills({ of, none }: Props) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {of.map(({ text, ...tone }) => (
        <Pill key={text} {...tone}>
          {text}
        </Pill>
      ))}
      {of.length === 0 ? <Pill>{none}</Pill> : null}
    </span>
  )
}
