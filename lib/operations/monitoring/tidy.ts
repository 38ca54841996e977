import { deleteSlotsBefore } from './queries'

/** Days for which the results of checks are kept: the longest chart, and a day more for every time zone. */
const kept = 31

/** Deletes results of checks that no chart shows. */
export const tidyMonitoring = (now: Date): Promise<void> =>
  deleteSlotsBefore(new Date(now.getTime() - kept * 86_400_000))
