import { z } from 'zod'
import { RunOrigin } from '@/lib/site/domains/run-context'

/** The stored options and progress of a run of an exchange. */
export const ExchangeOptions = z.object({
  syncId: z.string(),
  trigger: z.enum(['manual', 'schedule']),
  /** The name of the person who started it by hand, as the history shows it. */
  starter: z.string().nullable(),
  /** The person with whose rights the run works. */
  actorId: z.string().nullable(),
  /**
   * The preparer of the exchange at the start; null if an administrator vouched for it. Missing in runs of earlier
   * versions.
   */
  enteredBy: z.string().nullable().optional(),
  origin: RunOrigin,
  /** `pages`: pages are still to be read or sent. */
  phase: z.enum(['pages', 'rows']),
  /** The cursor of the next page; null for the first page. */
  cursor: z.string().nullable(),
  pages: z.number().int(),
})
export type ExchangeOptions = z.infer<typeof ExchangeOptions>

/** The input of one row of an import; a finished row keeps only its id. */
export const ExchangeRow = z.object({
  externalId: z.string(),
  /** The row as the source sent it. */
  item: z.record(z.string(), z.unknown()).optional(),
  /** The fault of a member that is left out of `item`. */
  fault: z.object({ code: z.string(), column: z.string() }).optional(),
})
export type ExchangeRow = z.infer<typeof ExchangeRow>
