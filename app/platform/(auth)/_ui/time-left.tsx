'use client'

import { minutesAndSeconds } from '@/components/ui/use-clock'

/**
 * A countdown with its text. Screen readers don't read each second. The first render of server and browser may differ.
 */
export const TimeLeft = ({ label, seconds }: { label: string; seconds: number }) => (
  <span role="timer">
    {label}{' '}
    <span className="font-medium text-ink tabular-nums" suppressHydrationWarning>
      {minutesAndSeconds(seconds)}
    </span>
  </span>
)
