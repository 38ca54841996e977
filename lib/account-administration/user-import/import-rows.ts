import { z } from 'zod'
import type { Transaction } from '@/db/client'
import { keepingAdministrator, keepingSignInOf, lockAdministrators } from '@/lib/access/rights/administrators'
import { accessOf } from '@/lib/access/roles/service'
import { giveRolesIn } from '@/lib/accounts/role-holders/of-person'
import { tableFields } from '@/lib/accounts/user-table/columns'
import { lockAdministered } from '@/lib/accounts/users/administer'
import { BatchClient, type ReadClient } from '@/lib/base/batch-jobs/client'
import { type BatchKinds, BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import type { BatchJobRow, BatchRow } from '@/lib/base/batch-jobs/store'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { addContractorsIn } from '@/lib/companies/contractors/of-person'
import { holdUniqueness } from '@/lib/fields/values/unique'
import { RunOrigin, runContext } from '@/lib/site/domains/run-context'
import { changeIn, createIn, reachesOtherwise } from '../accounts/write'
import { CellFault, openCells, type RowInput, rowReader, shownCells } from './cells'
import { isNothing, rowChanger } from './change'
import { faultFrom } from './check'
import { concernsAdministrators, Plan } from './plan'
import { lockByKeys, lockExternalId, selectIdsByKey, selectStarter } from './queries'
import { writeTogether } from './write-batch'

/** What every row needs: what the columns hold, where the run was started, and for a client with which token. */
export const StoredOptions = z.object({ plan: Plan, origin: RunOrigin, client: BatchClient.optional() })
export type Options = z.infer<typeof StoredOptions>

const Place = z.object({
  roleId: z.string(),
  organizationId: z.string().nullable(),
  contractorId: z.string().nullable(),
})
/** What a row needs: its cells, and what the names in them meant when the run was started. */
const StoredRow = z.object({
  cells: z.array(z.string()),
  /** The hash of the password, sealed. */
  password: z.string().optional(),
  roles: z.array(Place).default([]),
  contractors: z.array(z.string()).default([]),
})

/** Returns the context of a row: the person who started the run, with what they hold at this moment. */
async function asStarter(tx: Transaction, ctx: Ctx, userId: string | null): Promise<Ctx> {
  const person = userId ? await selectStarter(tx, userId) : null
  if (!person) throw new BatchStopped('userImportStarter')
  const { methods, methodIds } = await accessOf(person.id, tx)
  if (!holdsMethod({ methods }, 'users.write')) throw new BatchStopped('userImportRights')
  const user = { ...person, methods, methodIds, navMini: null, pagination: null, columns: {}, picture: null }
  // a run outlives the session in which it was started
  return { ...ctx, user, session: { id: '' } }
}

/** The same for a client: what its service account holds at this moment. A run outlives its token, but not a revocation. */
async function asClient(tx: Transaction, ctx: Ctx, client: BatchClient, read: ReadClient): Promise<Ctx> {
  const service = await read(tx, client, ctx.now())
  if (service === 'off') throw new BatchStopped('userImportClient')
  if (service === 'revoked') throw new BatchStopped('userImportToken')
  if (!holdsMethod(service, 'users.write')) throw new BatchStopped('userImportRights')
  return { ...ctx, service }
}

/** For how many milliseconds a run may rest when its token ends, without doubt that it would have met a revocation. */
const restOfToken = 60_000

/** Throws if the token may have been revoked while nothing was done: once it has ended, nothing tells. */
function requireSeen({ token }: BatchClient, seen: Date, now: Date) {
  const until = new Date(token.until)
  if (until <= now && until.getTime() - seen.getTime() > restOfToken) throw new BatchStopped('userImportToken')
}

/** Returns the only account that a row finds; null for none. Throws 400 for several. */
async function accountOf(tx: Transaction, plan: Plan, key: string): Promise<string | null> {
  const [found, second] = await selectIdsByKey(tx, plan.by, key)
  if (second) throw new AppError(400, 'userImportMany')
  if (found && plan.mode === 'create') throw new AppError(400, 'userImportExists')
  if (!found && plan.mode === 'update') throw new AppError(400, 'userImportMissing')
  return found?.id ?? null
}

/** Requires that no other account has the external id. */
async function requireFreeId(tx: Transaction, externalId: string, userId: string | null) {
  await lockExternalId(tx, externalId)
  const others = (await selectIdsByKey(tx, 'externalId', externalId)).filter(({ id }) => id !== userId)
  if (others.length > 0) throw fieldError('externalId', 'errorUnique')
}

/**
 * Returns what writes the accounts of a file, each by the rules of a single one. They are asked again at each row, with
 * what the person or the client that started the run holds then: nobody who holds a method that it lacks is touched
 * (docs/rules/people.md#import-of-accounts). `readClient` returns what a client holds.
 */
export async function importRows(
  readClient: ReadClient,
  { id: runId, userId, options, updatedAt }: BatchJobRow,
): ReturnType<BatchKinds[string]> {
  const { plan, origin, client } = StoredOptions.parse(options)
  if (client) requireSeen(client, updatedAt, new Date())
  const base = await runContext(origin)
  const fields = await tableFields(base)
  const changeOf = await rowChanger(base, plan, fields)
  const read = rowReader(plan, fields)
  const asWho = (tx: Transaction) => (client ? asClient(tx, base, client, readClient) : asStarter(tx, base, userId))
  const locks = concernsAdministrators(plan)

  const opened = ({ row, input }: Pick<BatchRow, 'row' | 'input'>) => {
    const stored = StoredRow.parse(input)
    return { ...stored, row, cells: openCells(plan, stored, runId, row) }
  }

  /** What changes nothing concerns nobody, also not somebody who holds more than the starter. */
  const isSame = async (tx: Transaction, input: RowInput) => {
    const [account] = await lockByKeys(tx, plan.by, [input.key])
    try {
      return account !== undefined && isNothing(account, changeOf(input, account))
    } catch (error) {
      if (error instanceof AppError || error instanceof CellFault) return false
      throw error
    }
  }

  const write = async (tx: Transaction, ctx: Ctx, row: z.infer<typeof StoredRow>) => {
    const input = read(row.cells)
    const { key, password } = input
    const after: unknown[] = []
    if (locks) await lockAdministrators(tx)
    await holdUniqueness(tx)
    if (input.externalId) await lockExternalId(tx, input.externalId)
    const found = await accountOf(tx, plan, key)
    let id = found
    if (id) {
      if (row.roles.length + row.contractors.length === 0 && (await isSame(tx, input))) return after
      const account = await lockAdministered(tx, ctx, id)
      const { change, externalId } = changeOf(input, account)
      if (externalId) await requireFreeId(tx, externalId, id)
      const more = {
        columns: externalId ? { externalId } : {},
        recorded: (of: { externalId: string | null }) => (externalId ? { externalId: of.externalId } : {}),
      }
      const store = () => changeIn(tx, ctx, account, change, more)
      after.push(await (reachesOtherwise(account, change) ? keepingSignInOf(tx, account.id, store) : store()))
    } else {
      const { change, externalId } = changeOf(input, null)
      if (externalId) await requireFreeId(tx, externalId, null)
      const sendLink = plan.sendLinks && !password && Boolean(change.columns.email)
      id = await createIn(tx, ctx, change, { sendLink, externalId, passwordHash: password })
    }
    if (row.contractors.length > 0) after.push(await addContractorsIn(tx, ctx, id, row.contractors))
    if (row.roles.length > 0) {
      const person = id
      const give = () => giveRolesIn(tx, ctx, person, row.roles)
      // a role may bring a schema by which somebody who could sign in no longer can
      after.push(await (found ? keepingAdministrator(tx, give) : give()))
    }
    return after
  }

  return {
    // what is written is in the accounts; of what isn't, people download the cells
    kept: ({ input }, failed) => (failed ? { cells: shownCells(plan, StoredRow.parse(input).cells) } : {}),
    doTogether: async (tx, rows) => {
      const ctx = await asWho(tx)
      return writeTogether(tx, ctx, rows.map(opened), { plan, read, changeOf })
    },
    doRow: async (tx, row) => {
      const given = opened(row)
      const ctx = await asWho(tx)
      try {
        const after = await write(tx, ctx, given)
        return async () => {
          for (const each of after) if (typeof each === 'function') await each()
        }
      } catch (error) {
        if (error instanceof BatchStopped) throw error
        const { code, params } = faultFrom(error, plan, fields)
        throw new AppError(400, undefined, { errorList: [{ field: '', code, params }] })
      }
    },
  }
}
