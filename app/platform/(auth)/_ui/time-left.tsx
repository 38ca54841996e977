'use client'

import { minutesAndSeconds } from './use-clock'

/** A countdown with its text. Not read out each second; the server's and the browser's first render may differ. */
export const TimeLeft = ({ label, seconds }: { label: string; seconds: number }) => (
  <span role="timer">
    {label}{' '}
    <span className="font-medium text-ink tabular-nums" suppressHydrationWarning>
      {minutesAndSeconds(seconds)}
    </span>
  </span>
)
