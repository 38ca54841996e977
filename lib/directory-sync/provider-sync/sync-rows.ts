import { db, type Transaction } from '@/db/client'
import { actingAs } from '@/lib/access/acting/service'
import { rolesOfMethods } from '@/lib/access/roles/of-methods'
import { disableByProvider } from '@/lib/accounts/users/enable'
import { type Batch, type BatchKinds, BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import { addRows, type BatchRow } from '@/lib/base/batch-jobs/store'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { peopleFields } from '@/lib/fields/values/service'
import { openDirectory, preparerAt } from '@/lib/identity-providers/connections/service'
import { runContext } from '@/lib/site/domains/run-context'
import { confirmMissing } from './confirm-missing'
import { checkLosses, refusedLosses, rolesOfMappers } from './losses'
import { SyncOptions, SyncPerson } from './options'
import type { PersonOutcome } from './outcome'
import { type WriteRules, type Written, writePerson } from './person'
import {
  countKnownAccounts,
  countNoted,
  markMoved,
  selectGoneAccounts,
  selectInput,
  selectSync,
  selectUsedMappers,
} from './queries'
import { readPages } from './read-pages'
import { syncChecker } from './values'
import { requireWithin } from './within'
import { writeBatch } from './write-batch'

/** Thrown to roll back the savepoint of a trial. */
class Undo extends Error {}

type ActorOptions = Pick<SyncOptions, 'actorId' | 'dry' | 'enteredBy' | 'providerId'>

/**
 * Returns the context of a row: the person with whose rights the run works, with the methods that they hold now and
 * that the provider's preparer holds too; so a start of a run gives the preparer no rights. Stops the run if the
 * provider has another preparer than at the start: the data that was read before would be written as theirs
 * (docs/rules/providers.md#who-vouches-for-a-provider).
 */
async function asActor(tx: Transaction, ctx: Ctx, { actorId, dry, enteredBy, providerId }: ActorOptions): Promise<Ctx> {
  const within = await preparerAt(tx, providerId)
  const isAnothers = enteredBy !== undefined && enteredBy !== within
  if (!dry && isAnothers) throw new BatchStopped('syncActorChanged')
  const needs = { needs: ['providers.write'], gone: 'syncActor', lacks: 'syncActorRights' } as const
  return actingAs(tx, ctx, { id: actorId, within, ...needs })
}

/** Adds the code of the faulty field as `fieldCode`: readers see its title in their language. */
function withField(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'errorFields') return error
  const [fault] = error.data.errorList ?? []
  const code = fault?.field.replace(/^values\./, '')
  if (!fault || !code || fault.params?.fieldCode) return error
  return new AppError(error.status, error.code, {
    errorList: [{ ...fault, params: { ...fault.params, fieldCode: code } }],
  })
}

/** Returns the mappers; those that give methods give the roles of these methods instead. */
async function withRoles(mappers: Awaited<ReturnType<typeof selectUsedMappers>>) {
  const methodMappers = mappers.filter(({ type, after }) => type === 'users-access' && after === 'method')
  const roles = await rolesOfMethods(methodMappers.flatMap(({ attributes }) => attributes.map(({ value }) => value)))
  return mappers.map((mapper) => ({
    ...mapper,
    attributes: methodMappers.includes(mapper)
      ? mapper.attributes.map((pair) => ({ ...pair, value: roles.get(pair.value) ?? pair.value }))
      : mapper.attributes,
  }))
}

/**
 * Synchronizes people: stores pages of the directory as rows, writes each row to an account by the rules of a single
 * change, and disables the accounts of people who are gone unless they are too many
 * (docs/rules/providers.md#synchronization).
 */
export const syncRows: BatchKinds[string] = async (run, ending) => {
  const options = SyncOptions.parse(run.options)
  // the mappers are read first: a later change of them also changes the actor, who is checked next
  const mappers = await withRoles(await selectUsedMappers(options.syncId))
  const syncWithProvider = await selectSync(db(), options.syncId)
  if (!syncWithProvider) throw new BatchStopped('syncOff')
  const { sync, provider } = syncWithProvider
  if (!options.dry && !provider.enabled) throw new BatchStopped('syncProviderOff')
  if (!options.dry && !sync.enabled) throw new BatchStopped('syncOff')
  // a set-up that another person has changed since must not work with the rights of this person
  if (!options.dry && sync.actorId !== options.actorId) throw new BatchStopped('syncActorChanged')
  const [base, fields] = await Promise.all([runContext(options.origin), peopleFields()])
  if (mappers.length === 0) throw new BatchStopped('syncFieldsMissing')
  if (options.phase === 'read') {
    const source = { mappers, vouched: provider.enteredBy === null }
    const reading = { ...source, directory: openDirectory(provider), limit: sync.syncLimit, fields, ending }
    if (!(await readPages(run, reading))) return 'later'
  }
  if (options.phase === 'disable' && !(await confirmMissing(run, openDirectory(provider), ending))) return 'later'
  const checkedOptions = await checkLosses(run.id, mappers, fields)
  const check = await syncChecker(base)
  const managed = new Set(rolesOfMappers(mappers))

  const source = { providerId: provider.id, vouched: provider.enteredBy === null }
  const rules: WriteRules = {
    ...source,
    runId: run.id,
    check,
    managed,
    refusedLosses: refusedLosses(checkedOptions, fields),
  }

  const disableGone = async (tx: Transaction, ctx: Ctx, { goneId }: { goneId: string }): Promise<Written> => {
    await requireWithin(tx, goneId, source)
    const after = await disableByProvider(tx, ctx, goneId, provider.name)
    return { action: after ? 'disabled' : 'same', userId: goneId, changed: [], notes: [], after: [after], moved: [] }
  }

  const outcomes = new Map<number, Omit<PersonOutcome, 'after'>>()
  // rows that other rows have changed since they were read, perhaps in this very transaction
  const changedRows = new Set<number>()
  const writeRow = async (tx: Transaction, row: BatchRow) => {
    const input = SyncPerson.parse(changedRows.has(row.row) ? await selectInput(tx, run.id, row.row) : row.input)
    const ctx = await asActor(tx, base, options)
    const { goneId } = input
    const { after, moved, ...outcome } = goneId
      ? await disableGone(tx, ctx, { goneId })
      : await writePerson(tx, ctx, input, rules)
    outcomes.set(row.row, outcome)
    const afterwards = async () => {
      for (const each of after) if (typeof each === 'function') await each()
    }
    return { moved, after: afterwards }
  }

  const writeRows = async (tx: Transaction, rows: BatchRow[]) => {
    const ctx = await asActor(tx, base, options)
    const inputs = rows.map(({ row, input }) => ({ row, input: SyncPerson.parse(input) }))
    return writeBatch(tx, ctx, inputs, {
      ...rules,
      report: (row, outcome) => outcomes.set(row, outcome),
    })
  }

  return {
    processBatch: async (tx, rows) => {
      if (!options.dry) return writeRows(tx, rows)
      let result: Batch = { faults: new Map() }
      try {
        await tx.transaction(async (inner) => {
          result = await writeRows(inner, rows)
          throw new Undo()
        })
      } catch (error) {
        if (!(error instanceof Undo)) throw error
      }
      return result
    },
    processRow: async (tx, row) => {
      let result: Awaited<ReturnType<typeof writeRow>> | undefined
      try {
        await tx.transaction(async (inner) => {
          result = await writeRow(inner, row)
          if (options.dry) throw new Undo()
        })
      } catch (error) {
        if (!(error instanceof Undo)) throw withField(error)
      }
      for (const { row: otherRow, code } of result?.moved ?? []) {
        await markMoved(tx, run.id, otherRow, code)
        changedRows.add(otherRow)
      }
      return options.dry ? undefined : result?.after
    },
    reduceInput: ({ row, input }, failed) => {
      const { externalId, goneId } = SyncPerson.parse(input)
      const outcome = failed ? { action: 'failed' as const } : (outcomes.get(row) ?? {})
      outcomes.delete(row)
      return { externalId, ...(goneId ? { goneId } : {}), ...outcome }
    },
    more: async (tx, current) => {
      const state = SyncOptions.parse(current.options)
      const finalOptions = async () => ({ phase: 'done', noted: await countNoted(tx, current.id) })
      if (state.phase !== 'write') return { next: 'end', options: await finalOptions() }
      const scope = { runId: current.id, providerId: provider.id, before: current.createdAt }
      const knownAccounts = await countKnownAccounts(tx, scope)
      const goneAccounts = await selectGoneAccounts(tx, scope)
      const counts = { known: knownAccounts, gone: goneAccounts.length }
      if (goneAccounts.length === 0) return { next: 'end', options: { ...counts, ...(await finalOptions()) } }
      await addRows(
        tx,
        current.id,
        goneAccounts.map(({ id, fio, login, externalId }) => ({
          title: fio || login,
          input: { externalId, goneId: id },
        })),
      )
      // more than a tenth at once looks like a fault of the directory
      if (!state.dry && goneAccounts.length * 10 > knownAccounts)
        return { next: { stop: 'syncDropGuard' }, options: { ...counts, phase: 'guard' } }
      return { next: 'later', options: { ...counts, phase: 'disable' } }
    },
  }
}
