import { db } from '@/db/client'
import { BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import { lockBatchJob, updateBatchJob } from '@/lib/base/batch-jobs/store'
import { type Definition, isBase } from '@/lib/fields/values/definition'
import { rolesCode, SyncOptions, waitsForLosses } from './options'
import { selectLosses } from './queries'
import type { UsedMapper } from './values'

/** What somebody has decided that people don't lose. Runs of earlier versions name roles like a field. */
export const keptLosses = ({ losses = [], lossesDecided }: SyncOptions, fields: readonly Definition[]) =>
  (lossesDecided === 'none' ? losses : []).map((loss) =>
    loss.code === 'roles' && !fields.some(({ code }) => code === 'roles') ? { ...loss, code: rolesCode } : loss,
  )

/** More people than these lose something at once only if somebody decides so: a few may leave a team on any day. */
const lossesUnasked = 2

/**
 * Counts, once and before anybody is written, what people would lose. Returns the options of the run with it. Throws
 * RunStopped if that looks like a fault of the directory (docs/rules/providers.md#losses).
 */
export async function weighLosses(
  runId: string,
  mappers: readonly UsedMapper[],
  fields: readonly Definition[],
): Promise<SyncOptions> {
  const weighed = await db().transaction(async (tx) => {
    const run = await lockBatchJob(tx, runId)
    const options = SyncOptions.parse(run?.options)
    if (run?.state !== 'running' || options.phase !== 'write' || options.losses) return options
    const filled = fields.filter(
      (field) =>
        // what is required, and what people sign in with, is never lost
        !field.integration &&
        !(isBase(field) && field.code === 'login') &&
        mappers.some(({ type, after }) => type === 'users-base' && after === field.code),
    )
    const found = await selectLosses(
      tx,
      { runId, providerId: options.providerId },
      { fields: filled.map((field) => ({ code: field.code, base: isBase(field) })), roles: rolesOf(mappers) },
    )
    const losses = found.filter(({ lost, having }) => lost > lossesUnasked && lost * 10 > having)
    await updateBatchJob(tx, runId, { options: { losses } })
    return { ...options, losses }
  })
  if (!weighed.dry && waitsForLosses(weighed)) throw new BatchStopped('syncLossGuard')
  return weighed
}

/** The roles that mappers give: those of others are none of the directory's business. */
export const rolesOf = (mappers: readonly UsedMapper[]): string[] => [
  ...new Set(
    mappers.flatMap(({ type, attributes }) => (type === 'users-access' ? attributes.map(({ value }) => value) : [])),
  ),
]
