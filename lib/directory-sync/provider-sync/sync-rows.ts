import { db, type Transaction } from '@/db/client'
import { actingAs } from '@/lib/access/acting/service'
import { rolesOfMethods } from '@/lib/access/roles/of-methods'
import { disableByProvider } from '@/lib/accounts/users/enable'
import { type Batch, type BatchKinds, BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import { addRows, type BatchRow } from '@/lib/base/batch-jobs/store'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { peopleFields } from '@/lib/fields/values/service'
import { directoryOn, preparerAt } from '@/lib/identity-providers/connections/service'
import { runContext } from '@/lib/site/domains/run-context'
import { confirmMissing } from './confirm-missing'
import { keptLosses, rolesOf, weighLosses } from './losses'
import { SyncOptions, SyncPerson } from './options'
import type { Done } from './outcome'
import { type How, type Written, writePerson } from './person'
import { countKnown, countNoted, markMoved, selectGone, selectInput, selectSync, selectUsedMappers } from './queries'
import { readPages } from './read-pages'
import { syncChecker } from './values'
import { requireWithin } from './within'
import { writeTogether } from './write-batch'

/** Undoes what a trial has done. */
class Undo extends Error {}

type Acting = Pick<SyncOptions, 'actorId' | 'dry' | 'enteredBy' | 'providerId'>

/**
 * Returns the context of a row: the person with whose rights the run works, with what they hold at this moment, and no
 * more than whoever the provider is the word of, so that starting a run lends nobody rights. The run
 * stops once the provider is another's word than when it began: what was read then would be written as theirs
 * (docs/rules/providers.md#who-vouches-for-a-provider).
 */
async function asActor(tx: Transaction, ctx: Ctx, { actorId, dry, enteredBy, providerId }: Acting): Promise<Ctx> {
  const within = await preparerAt(tx, providerId)
  const isAnothers = enteredBy !== undefined && enteredBy !== within
  if (!dry && isAnothers) throw new BatchStopped('syncActorChanged')
  const needs = { needs: ['providers.write'], gone: 'syncActor', lacks: 'syncActorRights' } as const
  return actingAs(tx, ctx, { id: actorId, within, ...needs })
}

/** Names the field that a fault is of by its code: readers see its title in their language. */
function withField(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'errorFields') return error
  const [fault] = error.data.errorList ?? []
  const code = fault?.field.replace(/^values\./, '')
  if (!fault || !code || fault.params?.fieldCode) return error
  return new AppError(error.status, error.code, {
    errorList: [{ ...fault, params: { ...fault.params, fieldCode: code } }],
  })
}

/** The mappers, of which those that give methods give the roles of these. */
async function withRoles(mappers: Awaited<ReturnType<typeof selectUsedMappers>>) {
  const giving = mappers.filter(({ type, after }) => type === 'users-access' && after === 'method')
  const roles = await rolesOfMethods(giving.flatMap(({ attributes }) => attributes.map(({ value }) => value)))
  return mappers.map((mapper) => ({
    ...mapper,
    attributes: giving.includes(mapper)
      ? mapper.attributes.map((pair) => ({ ...pair, value: roles.get(pair.value) ?? pair.value }))
      : mapper.attributes,
  }))
}

/**
 * Synchronizes people: pages of the directory become rows, each row an account by the rules of a single one, and accounts
 * of people who are gone are disabled, unless these are too many (docs/rules/providers.md#synchronization).
 */
export const syncRows: BatchKinds[string] = async (run, ending) => {
  const options = SyncOptions.parse(run.options)
  // mappers first: whoever changes them afterwards is the one who acts, which is looked at next
  const mappers = await withRoles(await selectUsedMappers(options.syncId))
  const found = await selectSync(db(), options.syncId)
  if (!found) throw new BatchStopped('syncOff')
  const { sync, provider } = found
  if (!options.dry && !provider.enabled) throw new BatchStopped('syncProviderOff')
  if (!options.dry && !sync.enabled) throw new BatchStopped('syncOff')
  // what somebody else has set up since doesn't work with the rights of this person
  if (!options.dry && sync.actorId !== options.actorId) throw new BatchStopped('syncActorChanged')
  const [base, fields] = await Promise.all([runContext(options.origin), peopleFields()])
  if (mappers.length === 0) throw new BatchStopped('syncFieldsMissing')
  if (options.phase === 'read') {
    const source = { mappers, vouched: provider.enteredBy === null }
    const reading = { ...source, directory: directoryOn(provider), limit: sync.syncLimit, fields, ending }
    if (!(await readPages(run, reading))) return 'later'
  }
  if (options.phase === 'disable' && !(await confirmMissing(run, directoryOn(provider), ending))) return 'later'
  const weighed = await weighLosses(run.id, mappers, fields)
  const check = await syncChecker(base)
  const managed = new Set(rolesOf(mappers))

  const source = { providerId: provider.id, vouched: provider.enteredBy === null }
  const how: How = { ...source, runId: run.id, check, managed, kept: keptLosses(weighed, fields) }

  const end = async (tx: Transaction, ctx: Ctx, { goneId }: { goneId: string }): Promise<Written> => {
    await requireWithin(tx, goneId, source)
    const after = await disableByProvider(tx, ctx, goneId, provider.name)
    return { action: after ? 'disabled' : 'same', userId: goneId, changed: [], notes: [], after: [after], moved: [] }
  }

  const done = new Map<number, Omit<Done, 'after'>>()
  // rows that others have changed since they were read, perhaps in this very transaction
  const marked = new Set<number>()
  const work = async (tx: Transaction, row: BatchRow) => {
    const input = SyncPerson.parse(marked.has(row.row) ? await selectInput(tx, run.id, row.row) : row.input)
    const ctx = await asActor(tx, base, options)
    const { goneId } = input
    const { after, moved, ...outcome } = goneId
      ? await end(tx, ctx, { goneId })
      : await writePerson(tx, ctx, input, how)
    done.set(row.row, outcome)
    const afterwards = async () => {
      for (const each of after) if (typeof each === 'function') await each()
    }
    return { moved, after: afterwards }
  }

  const together = async (tx: Transaction, rows: BatchRow[]) => {
    const ctx = await asActor(tx, base, options)
    const inputs = rows.map(({ row, input }) => ({ row, input: SyncPerson.parse(input) }))
    return writeTogether(tx, ctx, inputs, {
      ...how,
      told: (row, outcome) => done.set(row, outcome),
    })
  }

  return {
    doTogether: async (tx, rows) => {
      if (!options.dry) return together(tx, rows)
      let did: Batch = { faults: new Map() }
      try {
        await tx.transaction(async (inner) => {
          did = await together(inner, rows)
          throw new Undo()
        })
      } catch (error) {
        if (!(error instanceof Undo)) throw error
      }
      return did
    },
    doRow: async (tx, row) => {
      let did: Awaited<ReturnType<typeof work>> | undefined
      try {
        await tx.transaction(async (inner) => {
          did = await work(inner, row)
          if (options.dry) throw new Undo()
        })
      } catch (error) {
        if (!(error instanceof Undo)) throw withField(error)
      }
      for (const { row: other, code } of did?.moved ?? []) {
        await markMoved(tx, run.id, other, code)
        marked.add(other)
      }
      return options.dry ? undefined : did?.after
    },
    kept: ({ row, input }, failed) => {
      const { externalId, goneId } = SyncPerson.parse(input)
      const outcome = failed ? { action: 'failed' as const } : (done.get(row) ?? {})
      done.delete(row)
      return { externalId, ...(goneId ? { goneId } : {}), ...outcome }
    },
    more: async (tx, now) => {
      const state = SyncOptions.parse(now.options)
      const over = async () => ({ phase: 'done', noted: await countNoted(tx, now.id) })
      if (state.phase !== 'write') return { next: 'end', options: await over() }
      const of = { runId: now.id, providerId: provider.id, before: now.createdAt }
      const known = await countKnown(tx, of)
      const gone = await selectGone(tx, of)
      const told = { known, gone: gone.length }
      if (gone.length === 0) return { next: 'end', options: { ...told, ...(await over()) } }
      await addRows(
        tx,
        now.id,
        gone.map(({ id, fio, login, externalId }) => ({
          title: fio || login,
          input: { externalId, goneId: id },
        })),
      )
      // more than a tenth at once looks like a fault of the directory, not like people who left
      if (!state.dry && gone.length * 10 > known)
        return { next: { stop: 'syncDropGuard' }, options: { ...told, phase: 'guard' } }
      return { next: 'later', options: { ...told, phase: 'disable' } }
    },
  }
}
