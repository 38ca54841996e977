import { db, type Transaction } from '@/db/client'
import { actingAs } from '@/lib/access/acting/service'
import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { type BatchKinds, BatchStopped, DoneInPart } from '@/lib/base/batch-jobs/process-rows'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { runContext } from '@/lib/site/domains/run-context'
import { areaOf, type IntegrationKey, isImport } from '../exchange-journal/keys'
import { importAction } from './import-actions'
import { importContractorItem } from './import-contractors'
import { ExchangeOptions, ExchangeRow } from './options'
import { exchangePages } from './pages'
import { syncRows } from './queries'

/**
 * Returns the method that an exchange needs besides integration.write: to write the imported data, or to read the
 * exported data.
 */
export const methodOf = (key: IntegrationKey): SystemicMethod => `${areaOf[key]}.${isImport(key) ? 'write' : 'read'}`

/** Adds the faulty member of a row to an error, as `column`. */
function withColumn(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'errorFields') return error
  const [fault] = error.data.errorList ?? []
  if (!fault || fault.params?.column) return error
  const params = { ...fault.params, column: fault.field }
  return new AppError(error.status, error.code, { errorList: [{ ...fault, params }] })
}

/**
 * Exchanges data with another system. An import stores pages of the source as rows and writes each row by the rules of
 * a single change; an export sends pages of the platform's rows (docs/rules/integration.md#runs).
 */
export const integrationRows: BatchKinds[string] = async (run, ending) => {
  const { syncId, actorId, enteredBy, origin } = ExchangeOptions.parse(run.options)
  const sync = await syncRows.select(syncId)
  if (!sync?.enabled) throw new BatchStopped('integrationOff')
  // a set-up that another person has changed since must not work with the rights of this person
  if (sync.actorId !== actorId) throw new BatchStopped('integrationActorChanged')
  // data that was read before an administrator vouched for the exchange isn't written as vouched for
  // (docs/rules/integration.md#who-vouches-for-an-exchange)
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
  const checkRights = async () => void (await db().transaction(asActor))
  if (!(await exchangePages(run, sync, ending, checkRights))) return 'later'
  const write = async (tx: Transaction, ctx: Ctx, { item = {}, fault }: ExchangeRow) => {
    const itemError = fault && fieldError(fault.column, fault.code)
    if (key === 'contractors.import') return importContractorItem(tx, ctx, item, itemError)
    const result = await importAction(tx, ctx, item)
    return itemError && !(result instanceof DoneInPart) ? new DoneInPart(itemError, result) : result
  }
  return {
    processRow: async (tx, row) => {
      const ctx = await asActor(tx)
      try {
        const result = await write(tx, ctx, ExchangeRow.parse(row.input))
        return result instanceof DoneInPart
          ? new DoneInPart(withColumn(result.fault) as AppError, result.after)
          : result
      } catch (error) {
        throw withColumn(error)
      }
    },
    // the data of a finished row isn't stored any longer
    reduceInput: ({ input }) => ({ externalId: ExchangeRow.parse(input).externalId }),
  }
}
