import { db, type Transaction } from '@/db/client'
import { actingAs } from '@/lib/access/acting/service'
import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { type BatchKinds, BatchStopped, DoneInPart } from '@/lib/base/batch-jobs/process-rows'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { runContext } from '@/lib/site/domains/run-context'
import { areaOf, type IntegrationKey, isImport } from '../exchange-journal/keys'
import { importAction } from './import-actions'
import { importFitting } from './import-contractors'
import { ExchangeOptions, ExchangeRow } from './options'
import { workOnPages } from './pages'
import { selectSync } from './queries'

/** The method that an exchange needs besides that of the integration: what it writes here, or lets out. */
export const methodOf = (key: IntegrationKey): SystemicMethod => `${areaOf[key]}.${isImport(key) ? 'write' : 'read'}`

/** Names the member of a row that a fault is of. */
function withColumn(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'errorFields') return error
  const [fault] = error.data.errorList ?? []
  if (!fault || fault.params?.column) return error
  const params = { ...fault.params, column: fault.field }
  return new AppError(error.status, error.code, { errorList: [{ ...fault, params }] })
}

/**
 * Exchanges data with another system: pages of a source become rows, each written by the rules of a single one, or pages
 * of the platform's rows are sent (docs/rules/integration.md#runs).
 */
export const integrationRows: BatchKinds[string] = async (run, ending) => {
  const { syncId, actorId, enteredBy, origin } = ExchangeOptions.parse(run.options)
  const sync = await selectSync(db(), syncId)
  if (!sync?.enabled) throw new BatchStopped('integrationOff')
  // what somebody else has set up since doesn't work with the rights of this person
  if (sync.actorId !== actorId) throw new BatchStopped('integrationActorChanged')
  // nor is what was read before somebody vouched for it their word (docs/rules/integration.md#who-vouches-for-an-exchange)
  if (enteredBy !== undefined && sync.enteredBy !== enteredBy) throw new BatchStopped('integrationActorChanged')
  const key = sync.key as IntegrationKey
  const base = await runContext(origin)
  const asActor = (tx: Transaction): Promise<Ctx> =>
    actingAs(tx, base, {
      id: actorId,
      within: sync.enteredBy,
      withinNeeds: [methodOf(key)],
      needs: ['integration.write', methodOf(key)],
      gone: 'integrationActor',
      lacks: 'integrationActorRights',
    })
  const rights = async () => void (await db().transaction(asActor))
  if (!(await workOnPages(run, sync, ending, rights))) return 'later'
  const write = async (tx: Transaction, ctx: Ctx, { item = {}, fault }: ExchangeRow) => {
    const wrong = fault && fieldError(fault.column, fault.code)
    if (key === 'contractors.import') return importFitting(tx, ctx, item, wrong)
    const done = await importAction(tx, ctx, item)
    return wrong && !(done instanceof DoneInPart) ? new DoneInPart(wrong, done) : done
  }
  return {
    doRow: async (tx, row) => {
      const ctx = await asActor(tx)
      try {
        const done = await write(tx, ctx, ExchangeRow.parse(row.input))
        return done instanceof DoneInPart ? new DoneInPart(withColumn(done.fault) as AppError, done.after) : done
      } catch (error) {
        throw withColumn(error)
      }
    },
    // what was sent isn't kept for longer than it is needed
    kept: ({ input }) => ({ externalId: ExchangeRow.parse(input).externalId }),
  }
}
