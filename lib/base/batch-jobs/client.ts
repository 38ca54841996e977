import { z } from 'zod'
import type { Transaction } from '@/db/client'
import type { Ctx, CtxService } from '../context/ctx'

/** The client that started a run, or lets it go on: with which token, and from which address. */
export const BatchClient = z.object({
  clientId: z.string(),
  token: z.object({ record: z.string(), until: z.string() }),
  ip: z.string(),
})
export type BatchClient = z.infer<typeof BatchClient>

/** Returns the client of a call, which a run stores; null for a call of a person. */
export const batchClientOf = ({ service, ip }: Ctx): BatchClient | null =>
  service?.token
    ? {
        clientId: service.clientId,
        token: { record: service.token.record, until: service.token.until.toISOString() },
        ip,
      }
    : null

/** Returns what a client holds now; `off` if it may not call at all, `revoked` if its token was revoked. */
export type ReadClient = (tx: Transaction, client: BatchClient, now: Date) => Promise<CtxService | 'off' | 'revoked'>
