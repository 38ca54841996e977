import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { ownHistory } from '@/lib/operations/history/service'
import type * as calls from './contract'

/**
 * Returns one page of the history of the signed-in person's account. Throws 401, and 400 for a cursor of another list.
 */
export const getProfileHistory = async (
  ctx: Ctx,
  { query }: ServiceInput<typeof calls.getProfileHistory>,
): Promise<ServiceOutput<typeof calls.getProfileHistory>> => ownHistory(ctx, query)
