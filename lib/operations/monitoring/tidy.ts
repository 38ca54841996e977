import { deleteSlotsBefore } from './queries'

/** The days for which results of checks are stored: the longest chart, and a day more for every time zone. */
const storedDays = 31

/** Deletes the results of checks that no chart shows. */
export const tidyMonitoring = (now: Date): Promise<void> =>
  deleteSlotsBefore(new Date(now.getTime() - storedDays * 86_400_000))
