import { z } from 'zod'
import type { Transaction } from '@/db/client'
import { keepingAdministrator, keepingSignInOf, lockAdministrators } from '@/lib/access/rights/last-administrator'
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
import { importApps } from '@/lib/sign-in/factors/totp/apps'
import { RunOrigin, runContext } from '@/lib/site/domains/run-context'
import { changeIn, changesContact, createIn } from '../accounts/write'
import { CellFault, cellsWithoutSecrets, decryptCells, type RowInput, rowReader } from './cells'
import { changesNothing, rowChanger } from './change'
import { faultFrom } from './check'
import { concernsAdministrators, Plan } from './plan'
import { lockByKeys, lockExternalId, selectIdsByKey, selectStarter } from './queries'
import { writeBatch } from './write-batch'

/**
 * What every row needs: the plan, where the batch job was started, and, if a client started it, the client with its
 * token.
 */
export const StoredOptions = z.object({ plan: Plan, origin: RunOrigin, client: BatchClient.optional() })
export type Options = z.infer<typeof StoredOptions>

const StoredPlace = z.object({
  roleId: z.string(),
  organizationId: z.string().nullable(),
  contractorId: z.string().nullable(),
})
/** A stored row: its cells, and the roles and contractors that its names meant when the batch job was started. */
const StoredRow = z.object({
  cells: z.array(z.string()),
  /** The hash of the password, encrypted. */
  password: z.string().optional(),
  /** The key of the authenticator app, encrypted. */
  authenticatorKey: z.string().optional(),
  roles: z.array(StoredPlace).default([]),
  contractors: z.array(z.string()).default([]),
})

/**
 * Returns the context of a row: that of the person who started the batch job, with the methods that they hold at this
 * moment. Throws BatchStopped if they may no longer import.
 */
async function asPerson(tx: Transaction, ctx: Ctx, userId: string | null): Promise<Ctx> {
  const person = userId ? await selectStarter(tx, userId) : null
  if (!person) throw new BatchStopped('userImportStarter')
  const { methods, methodIds } = await accessOf(person.id, tx)
  if (!holdsMethod({ methods }, 'users.write')) throw new BatchStopped('userImportRights')
  const user = { ...person, methods, methodIds, navMini: null, pagination: null, columns: {}, picture: null }
  // a batch job outlives the session in which it was started
  return { ...ctx, user, session: { id: '' } }
}

/**
 * Returns the same for a client, with the methods that its service account holds at this moment. A batch job outlives
 * the client's token, but stops if the token is revoked.
 */
async function asClient(tx: Transaction, ctx: Ctx, client: BatchClient, read: ReadClient): Promise<Ctx> {
  const service = await read(tx, client, ctx.now())
  if (service === 'off') throw new BatchStopped('userImportClient')
  if (service === 'revoked') throw new BatchStopped('userImportToken')
  if (!holdsMethod(service, 'users.write')) throw new BatchStopped('userImportRights')
  return { ...ctx, service }
}

/**
 * How many milliseconds before its token ended a batch job must have done something. Then it would have noticed a
 * revocation.
 */
const maxPauseAtTokenEnd = 60_000

/**
 * Throws BatchStopped if the token has ended and may have been revoked while the batch job did nothing: whether it was
 * revoked can't be found out after its end.
 */
function requireWatchedToken({ token }: BatchClient, lastWork: Date, now: Date) {
  const until = new Date(token.until)
  if (until <= now && until.getTime() - lastWork.getTime() > maxPauseAtTokenEnd)
    throw new BatchStopped('userImportToken')
}

/**
 * Returns the id of the only account that the key of a row finds; null for none. Throws 400 for several, and if the
 * plan allows no creation or no update.
 */
async function accountOf(tx: Transaction, plan: Plan, key: string): Promise<string | null> {
  const [account, second] = await selectIdsByKey(tx, plan.by, key)
  if (second) throw new AppError(400, 'userImportMany')
  if (account && plan.mode === 'create') throw new AppError(400, 'userImportExists')
  if (!account && plan.mode === 'update') throw new AppError(400, 'userImportMissing')
  return account?.id ?? null
}

/** Requires that no other account has the external id. */
async function requireFreeId(tx: Transaction, externalId: string, userId: string | null) {
  await lockExternalId(tx, externalId)
  const otherAccounts = (await selectIdsByKey(tx, 'externalId', externalId)).filter(({ id }) => id !== userId)
  if (otherAccounts.length > 0) throw fieldError('externalId', 'errorUnique')
}

/**
 * Returns functions that write the rows of a file, each by the rules of a single account. The rules are checked again
 * for each row, with the methods that the person or the client who started the batch job holds then: an account with a
 * method that they lack isn't changed (docs/rules/people.md#import-of-accounts). `readClient` returns what a client
 * holds.
 */
export async function importRows(
  readClient: ReadClient,
  { id: runId, userId, options, updatedAt }: BatchJobRow,
): ReturnType<BatchKinds[string]> {
  const { plan, origin, client } = StoredOptions.parse(options)
  if (client) requireWatchedToken(client, updatedAt, new Date())
  const base = await runContext(origin)
  const fields = await tableFields(base)
  const changeOf = await rowChanger(base, plan, fields)
  const readRow = rowReader(plan, fields)
  const starterCtx = (tx: Transaction) => (client ? asClient(tx, base, client, readClient) : asPerson(tx, base, userId))
  const locksAdministrators = concernsAdministrators(plan)

  const decryptedRow = ({ row, input }: Pick<BatchRow, 'row' | 'input'>) => {
    const stored = StoredRow.parse(input)
    return { ...stored, row, cells: decryptCells(plan, stored, runId, row) }
  }

  /**
   * Returns whether a row changes nothing. Such a row needs no rights, even if the account holds more than the starter.
   */
  const isUnchanged = async (tx: Transaction, input: RowInput) => {
    const [account] = await lockByKeys(tx, plan.by, [input.key])
    try {
      return account !== undefined && changesNothing(account, changeOf(input, account))
    } catch (error) {
      if (error instanceof AppError || error instanceof CellFault) return false
      throw error
    }
  }

  const writeRow = async (tx: Transaction, ctx: Ctx, row: z.infer<typeof StoredRow>) => {
    const input = readRow(row.cells)
    const { key, password, appKey } = input
    const after: unknown[] = []
    if (locksAdministrators) await lockAdministrators(tx)
    await holdUniqueness(tx)
    if (input.externalId) await lockExternalId(tx, input.externalId)
    const existingId = await accountOf(tx, plan, key)
    let id = existingId
    if (id) {
      if (row.roles.length + row.contractors.length === 0 && (await isUnchanged(tx, input))) return after
      const account = await lockAdministered(tx, ctx, id)
      const { change, externalId } = changeOf(input, account)
      if (externalId) await requireFreeId(tx, externalId, id)
      const further = {
        columns: externalId ? { externalId } : {},
        recorded: (changed: { externalId: string | null }) => (externalId ? { externalId: changed.externalId } : {}),
      }
      const store = () => changeIn(tx, ctx, account, change, further)
      after.push(await (changesContact(account, change) ? keepingSignInOf(tx, account.id, store) : store()))
    } else {
      const { change, externalId } = changeOf(input, null)
      if (externalId) await requireFreeId(tx, externalId, null)
      const sendLink = plan.sendLinks && !password && Boolean(change.columns.email)
      id = await createIn(tx, ctx, change, { sendLink, externalId, passwordHash: password })
      if (appKey) await importApps(tx, ctx, [{ userId: id, key: appKey }])
    }
    if (row.contractors.length > 0) after.push(await addContractorsIn(tx, ctx, id, row.contractors))
    if (row.roles.length > 0) {
      const accountId = id
      const give = () => giveRolesIn(tx, ctx, accountId, row.roles)
      // a role may bring an authentication schema by which a person can no longer sign in
      after.push(await (existingId ? keepingAdministrator(tx, give) : give()))
    }
    return after
  }

  return {
    // of a written row nothing is stored any longer; the cells of a failed one can be downloaded
    reduceInput: ({ input }, failed) =>
      failed ? { cells: cellsWithoutSecrets(plan, StoredRow.parse(input).cells) } : {},
    processBatch: async (tx, rows) => {
      const ctx = await starterCtx(tx)
      return writeBatch(tx, ctx, rows.map(decryptedRow), { plan, read: readRow, changeOf })
    },
    processRow: async (tx, row) => {
      const storedRow = decryptedRow(row)
      const ctx = await starterCtx(tx)
      try {
        const after = await writeRow(tx, ctx, storedRow)
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
