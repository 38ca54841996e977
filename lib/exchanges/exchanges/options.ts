import { z } from 'zod'
import { RunOrigin } from '@/lib/site/domains/run-context'

/** What a run of an exchange keeps of itself. */
export const ExchangeOptions = z.object({
  syncId: z.string(),
  trigger: z.enum(['manual', 'schedule']),
  /** Who started it by hand, as the history shows them. */
  starter: z.string().nullable(),
  /** With whose rights it works. */
  actorId: z.string().nullable(),
  /** Whose word the exchange was when the run began, null for an administrator's; runs of earlier versions don't say. */
  enteredBy: z.string().nullable().optional(),
  origin: RunOrigin,
  /** `pages`: pages are still to be read or sent. */
  phase: z.enum(['pages', 'rows']),
  /** Where it goes on; null for the beginning. */
  cursor: z.string().nullable(),
  pages: z.number().int(),
})
export type ExchangeOptions = z.infer<typeof ExchangeOptions>

/** What one row of an import needs, and what is kept of it when it is over. */
export const ExchangeRow = z.object({
  externalId: z.string(),
  /** The row as it was sent. */
  item: z.record(z.string(), z.unknown()).optional(),
  /** What of it is wrong, and isn't in `item`. */
  fault: z.object({ code: z.string(), column: z.string() }).optional(),
})
export type ExchangeRow = z.infer<typeof ExchangeRow>
