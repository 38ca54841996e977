import { db, type Transaction } from '@/db/client'
import { type Account, changeIn, createIn } from '@/lib/entry/user-accounts/write'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import { addRows, type RunRow } from '@/lib/kernel/runs/store'
import { type RunKinds, RunStopped, type Together } from '@/lib/kernel/runs/work'
import { actingAs } from '@/lib/people/acting/service'
import type { Definition } from '@/lib/people/fields/definition'
import { peopleFields } from '@/lib/people/fields/service'
import { holdUniqueness } from '@/lib/people/fields/unique'
import { directoryOn } from '@/lib/people/providers/service'
import { keepingAdministrator, keepingWaysOf, lockAdministrators } from '@/lib/people/rights/administrators'
import { exchangeRolesIn, type Held, heldOf } from '@/lib/people/role-holders/of-person'
import { lockAdministered } from '@/lib/people/users/administer'
import { disableByProvider } from '@/lib/people/users/enable'
import { runContext } from '@/lib/platform/domains/run-context'
import { confirmGone } from './confirm-gone'
import { SyncOptions, SyncRow } from './options'
import { changedFields, type Done } from './outcome'
import { countKnown, isLinked, lockPerson, selectAccountId, selectGone, selectSync, selectUsedMappers } from './queries'
import { readPages } from './read-pages'
import { writeTogether } from './together'
import { syncChecker } from './values'

/** Undoes what a trial has done. */
class Undo extends Error {}

/** Returns the context of a row: the person with whose rights the run works, with what they hold at this moment. */
const asActor = (tx: Transaction, ctx: Ctx, actorId: string | null): Promise<Ctx> =>
  actingAs(tx, ctx, { id: actorId, needs: ['providers.write'], gone: 'syncActor', lacks: 'syncActorRights' })

const contacts = ['email', 'mobile'] as const

/** Names the field that a fault is of by its code: readers see its title in their language. */
function withField(error: unknown, fields: readonly Definition[]): unknown {
  if (!(error instanceof AppError) || error.code !== 'errorFields') return error
  const [fault] = error.data.errorList ?? []
  const field = fields.find(({ code }) => fault?.field === `values.${code}`)
  if (!fault || !field) return error
  return new AppError(error.status, error.code, {
    errorList: [{ ...fault, params: { ...fault.params, fieldCode: field.code } }],
  })
}

const platformWide = (roleId: string): Held => ({ roleId, organizationId: null, contractorId: null })

/**
 * Synchronizes people: pages of the directory become rows, each row an account by the rules of a single one, and accounts
 * of people who are gone are disabled, unless these are too many (docs/rules/providers.md#synchronization).
 */
export const syncRows: RunKinds[string] = async (run, ending) => {
  const options = SyncOptions.parse(run.options)
  // mappers first: whoever changes them afterwards is the one who acts, which is looked at next
  const mappers = await selectUsedMappers(options.syncId)
  const found = await selectSync(db(), options.syncId)
  if (!found) throw new RunStopped('syncOff')
  const { sync, provider } = found
  if (!options.dry && !provider.enabled) throw new RunStopped('syncProviderOff')
  if (!options.dry && !sync.enabled) throw new RunStopped('syncOff')
  // what somebody else has set up since doesn't work with the rights of this person
  if (!options.dry && sync.actorId !== options.actorId) throw new RunStopped('syncActorChanged')
  const [base, fields] = await Promise.all([runContext(options.origin), peopleFields()])
  if (mappers.length === 0) throw new RunStopped('syncFieldsMissing')
  if (options.phase === 'read') {
    const reading = { directory: directoryOn(provider), limit: sync.syncLimit, mappers, fields, ending }
    if (!(await readPages(run, reading))) return 'later'
  }
  if (options.phase === 'disable' && !(await confirmGone(run, directoryOn(provider), ending))) return 'later'
  const check = await syncChecker(base)
  // roles that no mapper gives are none of the directory's business
  const managed = new Set(
    mappers.flatMap(({ type, attributes }) => (type === 'users-access' ? attributes.map(({ value }) => value) : [])),
  )

  const giveRoles = async (tx: Transaction, ctx: Ctx, userId: string, wanted: readonly string[]) => {
    if (managed.size === 0) return null
    const { roles } = await heldOf(tx, userId)
    const give = wanted.filter((id) => !roles.includes(id)).map(platformWide)
    const take = roles.filter((id) => managed.has(id) && !wanted.includes(id)).map(platformWide)
    if (give.length + take.length === 0) return null
    return { after: await keepingAdministrator(tx, () => exchangeRolesIn(tx, ctx, userId, { give, take })) }
  }

  const write = async (tx: Transaction, ctx: Ctx, row: SyncRow): Promise<Done> => {
    const { externalId, values } = row
    // before every other lock of the transaction, as calls that give roles or change contacts take it
    await lockAdministrators(tx)
    await holdUniqueness(tx)
    await lockPerson(tx, provider.id, externalId)
    const wanted = row.roles.filter((id) => managed.has(id))
    const foundId = await selectAccountId(tx, provider.id, externalId)
    if (!foundId) {
      if (await isLinked(tx, provider.id, externalId)) throw new AppError(409, 'syncLinked')
      const userId = await createIn(tx, ctx, check(values, null), { externalId, providerId: provider.id })
      const given = await giveRoles(tx, ctx, userId, wanted)
      return { action: 'created', userId, changed: [], after: [given?.after] }
    }
    const account = await lockAdministered(tx, ctx, foundId)
    const change = check(values, account)
    const back = !account.enabled && account.disabledByProvider
    const more = {
      columns: back ? { enabled: true, disabledByProvider: false } : {},
      recorded: (of: Account) => (back ? { enabled: of.enabled } : {}),
      silent: true,
    }
    const store = () => changeIn(tx, ctx, account, change, more)
    const loses = contacts.some((kind) => account[kind] && change.columns[kind] === null)
    const after: unknown[] = [await (loses ? keepingWaysOf(tx, foundId, store) : store())]
    const given = await giveRoles(tx, ctx, foundId, wanted)
    if (given) after.push(given.after)
    const changed = [...changedFields(change, account), ...(given ? ['roles'] : [])]
    const action = back ? 'enabled' : changed.length > 0 ? 'changed' : 'same'
    return { action, userId: foundId, changed, after }
  }

  const end = async (tx: Transaction, ctx: Ctx, { goneId }: { goneId: string }): Promise<Done> => {
    const after = await disableByProvider(tx, ctx, goneId, provider.name)
    return { action: after ? 'disabled' : 'same', userId: goneId, changed: [], after: [after] }
  }

  const done = new Map<number, Omit<Done, 'after'>>()
  const work = async (tx: Transaction, row: RunRow) => {
    const input = SyncRow.parse(row.input)
    const ctx = await asActor(tx, base, options.actorId)
    const { goneId } = input
    const { after, ...outcome } = goneId ? await end(tx, ctx, { goneId }) : await write(tx, ctx, input)
    done.set(row.row, outcome)
    return async () => {
      for (const each of after) if (typeof each === 'function') await each()
    }
  }

  const together = async (tx: Transaction, rows: RunRow[]) => {
    const ctx = await asActor(tx, base, options.actorId)
    const inputs = rows.map(({ row, input }) => ({ row, input: SyncRow.parse(input) }))
    return writeTogether(tx, ctx, inputs, {
      ...{ providerId: provider.id, managed, check },
      told: (row, outcome) => done.set(row, outcome),
    })
  }

  return {
    doTogether: async (tx, rows) => {
      if (!options.dry) return together(tx, rows)
      let did: Together = { faults: new Map() }
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
      try {
        if (!options.dry) return await work(tx, row)
        await tx.transaction(async (inner) => {
          await work(inner, row)
          throw new Undo()
        })
      } catch (error) {
        if (!(error instanceof Undo)) throw withField(error, fields)
      }
      return undefined
    },
    kept: ({ row, input }, failed) => {
      const { externalId, goneId } = SyncRow.parse(input)
      const outcome = failed ? { action: 'failed' as const } : (done.get(row) ?? {})
      done.delete(row)
      return { externalId, ...(goneId ? { goneId } : {}), ...outcome }
    },
    more: async (tx, now) => {
      const state = SyncOptions.parse(now.options)
      if (state.phase !== 'write') return { next: 'end', options: { phase: 'done' } }
      const of = { runId: now.id, providerId: provider.id, before: now.createdAt }
      const known = await countKnown(tx, of)
      const gone = await selectGone(tx, of)
      const told = { known, gone: gone.length }
      if (gone.length === 0) return { next: 'end', options: { ...told, phase: 'done' } }
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
