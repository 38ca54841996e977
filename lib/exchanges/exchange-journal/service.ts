import { callerId, holdsMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import type { GivenFile } from '@/lib/base/contracts/file'
import { isFound } from '@/lib/base/lists/search-form'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import type * as calls from './contract'
import { areaOf, type IntegrationKey, integrationKeys } from './keys'
import { deleteOldExchanges, endLost, exchangeRows, selectExchanges } from './queries'

export { insertExchange, storeEnd } from './queries'

const read = 'integration.read'

/** Returns the keys of exchanges that contain a text. Needs integration.read. */
export async function searchIntegrationKeys(ctx: Ctx, { query }: ServiceInput<typeof calls.searchIntegrationKeys>) {
  requireMethod(ctx, read)
  return { keys: integrationKeys.filter((key) => isFound(query.searchValue ?? '', [key])) }
}

/** Returns one page of the journal (docs/rules/integration.md#journal). Needs integration.read. */
export async function listExchanges(
  ctx: Ctx,
  { query }: ServiceInput<typeof calls.listExchanges>,
): Promise<ServiceOutput<typeof calls.listExchanges>> {
  requireMethod(ctx, read)
  const { rows, meta } = await selectExchanges(query, {
    timeZone: ctx.timeZone,
    caller: callerId(ctx),
    pageSize: ctx.user?.pagination ?? null,
  })
  const monitoring = rows.map(({ id, key, status, method, url, httpStatus, duration, fault, runId, ...row }) => ({
    id,
    key: key as IntegrationKey,
    status,
    request: id,
    response: row.answered ? id : null,
    ...{ method, url, httpStatus, duration, fault, runId },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }))
  return { monitoring, meta }
}

/** Returns whether the caller may read the exchanged data: holds the read method of its area. */
export const readsData = (ctx: Ctx, key: IntegrationKey): boolean => holdsMethod(ctx, `${areaOf[key]}.read`)

type ById = { params: { id: string } }

async function messageOf(ctx: Ctx, { params: { id } }: ById, part: 'request' | 'response'): Promise<GivenFile> {
  requireMethod(ctx, read)
  const row = await exchangeRows.select(id)
  const text = row?.[part] ?? null
  if (!row || text === null) throw notFound()
  const key = row.key as IntegrationKey
  if (!readsData(ctx, key)) throw new AppError(403, 'forbiddenExchange')
  async function* chunks() {
    yield text as string
  }
  return { name: `${key}-${id}-${part}.txt`, type: 'text/plain', chunks: chunks() }
}

/**
 * Returns the request of a journal entry. Needs integration.read and the read method of the area of the exchanged data.
 * Throws 404, and 403 forbiddenExchange (docs/rules/integration.md#journal).
 */
export const readExchangeRequest = (ctx: Ctx, input: ById) => messageOf(ctx, input, 'request')

/**
 * Returns the answer of a journal entry. Needs and throws what `readExchangeRequest` does; throws 404 also without an
 * answer.
 */
export const readExchangeResponse = (ctx: Ctx, input: ById) => messageOf(ctx, input, 'response')

/** Minutes after which a request without an answer counts as lost: its process died. */
const lostAfter = 5

/** Marks requests whose process died as failed, and deletes journal entries that are older than `before`. */
export async function tidyJournal(now: Date, before: Date): Promise<void> {
  await endLost(new Date(now.getTime() - lostAfter * 60_000), 'integrationLost')
  await deleteOldExchanges(before)
}
