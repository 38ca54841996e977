'use client'

import { minutesAndSeconds } from './use-clock'

/** A countdown with its words. Not read out each second; the server and a page drawn a moment later may differ. */
export const TimeLeft = ({ label, seconds }: { label: string; seconds: number }) => (
  <span role="timer">
    {label}{' '}
    <span className="font-medium text-ink tabular-nums" suppressHydrationWarning>
      {minutesAndSeconds(seconds)}
    </span>
  </span>
)
