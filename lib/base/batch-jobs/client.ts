import { z } from 'zod'
import type { Transaction } from '@/db/client'
import type { Ctx, CtxService } from '../context/ctx'

/** The client that started or resumed a batch job, with its token and its address. */
export const BatchClient = z.object({
  clientId: z.string(),
  token: z.object({ record: z.string(), until: z.string() }),
  ip: z.string(),
})
export type BatchClient = z.infer<typeof BatchClient>

/** Returns the client of a call, as a batch job stores it; null for a call of a person. */
export const batchClientOf = ({ service, ip }: Ctx): BatchClient | null =>
  service?.token
    ? {
        clientId: service.clientId,
        token: { record: service.token.record, until: service.token.until.toISOString() },
        ip,
      }
    : null

/** Returns what a client may do now; `off` if it may make no calls, `revoked` if its token was revoked. */
export type ReadClient = (tx: Transaction, client: BatchClient, now: Date) => Promise<CtxService | 'off' | 'revoked'>
