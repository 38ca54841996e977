import { db } from '@/db/client'
import { BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import { lockBatchJob, updateBatchJob } from '@/lib/base/batch-jobs/store'
import { type Definition, isBase } from '@/lib/fields/values/definition'
import { rolesCode, SyncOptions, waitsForLosses } from './options'
import { selectLosses } from './queries'
import type { UsedMapper } from './values'

/**
 * Returns the losses that somebody has refused: people keep these values. Runs of earlier versions name roles like a
 * field.
 */
export const refusedLosses = ({ losses = [], lossesDecided }: SyncOptions, fields: readonly Definition[]) =>
  (lossesDecided === 'none' ? losses : []).map((loss) =>
    loss.code === 'roles' && !fields.some(({ code }) => code === 'roles') ? { ...loss, code: rolesCode } : loss,
  )

/** Up to this many people may lose a value without a decision: a few may leave a team on any day. */
const lossesWithoutDecision = 2

/**
 * Counts, once and before anybody is written, what people would lose. Returns the options of the run with these losses.
 * Throws BatchStopped if they look like a fault of the directory (docs/rules/providers.md#losses).
 */
export async function checkLosses(
  runId: string,
  mappers: readonly UsedMapper[],
  fields: readonly Definition[],
): Promise<SyncOptions> {
  const checked = await db().transaction(async (tx) => {
    const run = await lockBatchJob(tx, runId)
    const options = SyncOptions.parse(run?.options)
    if (run?.state !== 'running' || options.phase !== 'write' || options.losses) return options
    const filledFields = fields.filter(
      (field) =>
        // people never lose required fields or the login
        !field.integration &&
        !(isBase(field) && field.code === 'login') &&
        mappers.some(({ type, after }) => type === 'users-base' && after === field.code),
    )
    const counts = await selectLosses(
      tx,
      { runId, providerId: options.providerId },
      {
        fields: filledFields.map((field) => ({ code: field.code, base: isBase(field) })),
        roles: rolesOfMappers(mappers),
      },
    )
    const losses = counts.filter(({ lost, having }) => lost > lossesWithoutDecision && lost * 10 > having)
    await updateBatchJob(tx, runId, { options: { losses } })
    return { ...options, losses }
  })
  if (!checked.dry && waitsForLosses(checked)) throw new BatchStopped('syncLossGuard')
  return checked
}

/** Returns the roles that the mappers give. The directory doesn't change any other role. */
export const rolesOfMappers = (mappers: readonly UsedMapper[]): string[] => [
  ...new Set(
    mappers.flatMap(({ type, attributes }) => (type === 'users-access' ? attributes.map(({ value }) => value) : [])),
  ),
]
