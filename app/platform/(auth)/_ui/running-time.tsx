import type { ReactNode } from 'react'
import { minutesAndSeconds } from '@/lib/base/text/minutes'

type Props = {
  /** What stands before the digits, or around them. */
  label: string | ((digits: ReactNode) => ReactNode)
  /** In milliseconds since the epoch. */
  until: number
  /** What replaces both when the time is over. */
  over?: string
  /** The code field that is out of date when the time is over. */
  'data-expires'?: string
  /** Whether another code may be requested when the time is over. */
  'data-wait'?: boolean
}

/** A countdown with its text: the script of public pages lets it run. Screen readers don't read each second. */
export const RunningTime = ({ label, until, over, ...effects }: Props) => {
  const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000))
  const digits = <span className="font-medium text-ink tabular-nums">{minutesAndSeconds(seconds)}</span>
  return (
    <span {...effects} role="timer" data-countdown={seconds} data-over={over}>
      {typeof label === 'string' ? (
        <>
          {label} {digits}
        </>
      ) : (
        label(digits)
      )}
    </span>
  )
}
