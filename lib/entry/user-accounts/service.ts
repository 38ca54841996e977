import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { cancelLinks, createLink } from '@/lib/entry/links/service'
import { endAttempts } from '@/lib/entry/passwords/replace'
import { endUserSessions, refreshSessions } from '@/lib/entry/sessions/service'
import { requireMethod } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError, fieldError } from '@/lib/kernel/errors'
import type { VerbInput } from '@/lib/kernel/http/contract'
import { requireVersion } from '@/lib/kernel/record/conflict'
import { record } from '@/lib/kernel/record/record'
import { historyName } from '@/lib/people/fields/definition'
import { claimUnique, holdUniqueness } from '@/lib/people/fields/unique'
import { blocksOf, recordedValues, withChanges } from '@/lib/people/fields/values'
import { keepingAdministrator } from '@/lib/people/rights/administrators'
import type * as calls from '@/lib/people/user-administration/contract'
import { shownValues, type UserChange, userChanges } from '@/lib/people/user-administration/fields'
import { lockAdministered } from '@/lib/people/users/administer'
import {
  type AdministeredValues,
  giveDefaultRole,
  insertAdministered,
  storeAdministered,
} from '@/lib/people/users/administered'
import { userEntity } from '@/lib/people/users/entity'
import { removeAccount } from '@/lib/people/users/own'
import type { lockAccount } from '@/lib/people/users/personal'
import { schemasIn } from '@/lib/platform/authentication-schemas/service'
import { sendMail } from '@/lib/platform/sender/service'
import { platformSettings } from '@/lib/platform/settings/service'

type Account = NonNullable<Awaited<ReturnType<typeof lockAccount>>>
type Recorded = Record<string, unknown>

/** Stores an account's unique values. Throws 400 by field for those that somebody else has. */
async function claim(tx: Transaction, userId: string, { fields, dynamic }: UserChange) {
  const taken = await claimUnique(tx, { userId }, fields, dynamic)
  const errorList = taken.map((code) => ({ field: `values.${code}`, code: 'errorUnique' }))
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
}

/** Columns as a change is recorded from them: an empty text is nothing. */
const recordedColumns = (row: AdministeredValues, columns: string[]): Recorded =>
  Object.fromEntries(columns.map((code) => [code, row[code as 'login'] || null]))

/**
 * Mails a locked account without a password a link that sets the first one, by `firstRefreshAlive`; earlier links die.
 * Throws 409 directoryAccount, userDisabled, userHasPassword and userWithoutEmail
 * (docs/rules/people.md#administration-of-users).
 */
async function mailEntryLink(
  tx: Transaction,
  ctx: Ctx,
  account: Pick<Account, 'id' | 'providerId' | 'enabled' | 'passwordHash' | 'email' | 'login' | 'firstName' | 'locale'>,
) {
  if (account.providerId) throw new AppError(409, 'directoryAccount')
  if (!account.enabled) throw new AppError(409, 'userDisabled')
  if (account.passwordHash) throw new AppError(409, 'userHasPassword')
  if (!account.email) throw new AppError(409, 'userWithoutEmail')
  const { firstRefreshAlive: alive } = await platformSettings()
  const linkId = await createLink(tx, ctx, 'entry', { userId: account.id }, alive)
  const { id: userId, email: to, login, firstName: name } = account
  await sendMail(tx, ctx, {
    template: 'firstEntry',
    to,
    userId,
    ...(account.locale ? { locale: account.locale } : {}),
    expiresAt: new Date(ctx.now().getTime() + alive * 1000),
    values: { name, login, link: `${ctx.domain.origin}/platform/login/password/${linkId}`, alive },
  })
}

/**
 * Creates an account with the role of the setting `defaultUserRole`, and mails its first-entry link if asked to. Returns
 * its id. Needs users.write. Throws 400 by field, 409 for an identifier that is taken at the same moment, and what the
 * link needs (docs/rules/people.md#administration-of-users).
 */
export async function createUser(ctx: Ctx, { body }: VerbInput<typeof calls.createUser>) {
  requireMethod(ctx, 'users.write')
  const change = await userChanges(ctx, body.values, null)
  const { columns, dynamic, fields } = change
  const login = columns.login ?? columns.email
  if (!login) throw fieldError('values.login', 'errorEmpty')
  if (body.sendLink && !columns.email) throw fieldError('values.email', 'errorEmpty')
  const id = randomUUID()
  await db().transaction(async (tx) => {
    await holdUniqueness(tx)
    const own = { email: null, mobile: null, firstName: '', locale: null, ...columns, id, login }
    const row = { ...own, values: withChanges({}, dynamic), createdAt: ctx.now() }
    await insertAdministered(tx, row)
    await claim(tx, id, change)
    const { defaultUserRole } = await platformSettings()
    await giveDefaultRole(tx, id, defaultUserRole)
    const after = {
      ...recordedColumns({ ...columns, login }, [...Object.keys(columns), 'login']),
      enabled: true,
      roles: [defaultUserRole],
      ...recordedValues(dynamic, Object.keys(dynamic)),
    }
    await record(tx, ctx, userEntity, id, null, after, { subtype: blocksOf(fields) })
    if (body.sendLink) await mailEntryLink(tx, ctx, { ...own, providerId: null, enabled: true, passwordHash: null })
  })
  return { id }
}

/** Mails somebody without a password their first-entry link. Needs users.write. Throws as `lockAdministered`, and 409. */
export async function sendEntryLink(ctx: Ctx, { params: { id } }: VerbInput<typeof calls.sendEntryLink>) {
  requireMethod(ctx, 'users.write')
  await db().transaction(async (tx) => mailEntryLink(tx, ctx, await lockAdministered(tx, ctx, id)))
  return {}
}

/** The account as its card has it, so that a conflict shows no more than the administration does. */
async function shownRow(row: Account) {
  const { isEditable, authenticationSchemaId, updatedAt, ...account } = row
  const shown = await shownValues(account)
  const named = Object.entries(shown).map(([code, value]) => [
    code in userEntity.fields ? code : historyName(code),
    value,
  ])
  return { ...Object.fromEntries(named), isEditable, authenticationSchemaId, updatedAt } as { updatedAt: Date }
}

/** Tells an account's previous e-mail of another contact, and ends links and attempts that went to the one before. */
async function leaveContacts(tx: Transaction, ctx: Ctx, account: Account, columns: AdministeredValues) {
  for (const kind of ['email', 'mobile'] as const) {
    const value = columns[kind]
    if (value === undefined || value === account[kind] || !account[kind]) continue
    await cancelLinks(tx, account.id, ['recovery', 'entry'], ctx.now())
    await endAttempts(tx, account.id, ctx.now())
    if (!account.email) continue
    await sendMail(tx, ctx, {
      template: 'contactChanged',
      to: account.email,
      userId: account.id,
      values: {
        name: account.firstName,
        kind,
        value: value ?? '',
        date: ctx.now(),
        ip: ctx.ip,
        link: `${ctx.domain.origin}/platform/forgot-password`,
      },
    })
  }
}

/**
 * Changes fields of an account, whether its person may change it, and its schema, all or nothing. A contact that changes
 * is unproven, and the one before hears of it. Needs users.write. Throws 404, 403 forbiddenUser, 400 by field, 409
 * lastAdministrator, and 409 if somebody has saved it since `updatedAt` (docs/rules/people.md#administration-of-users).
 */
export async function updateUser(ctx: Ctx, { params: { id }, body }: VerbInput<typeof calls.updateUser>) {
  requireMethod(ctx, 'users.write')
  const { email, mobile } = (body.values ?? {}) as Record<string, unknown>
  const ways = [body.authenticationSchemaId, email, mobile].some((value) => value !== undefined)
  const change = async (tx: Transaction) => {
    await holdUniqueness(tx)
    const row = await lockAdministered(tx, ctx, id)
    const kept = { read: 'users.read', id, row: await shownRow(row), updatedAt: body.updatedAt } as const
    await requireVersion(tx, ctx, userEntity, kept)
    const changes = await userChanges(ctx, body.values ?? {}, row)
    const { columns, dynamic, fields } = changes
    const schema = body.authenticationSchemaId
    const schemas = await schemasIn(tx)
    if (schema && schema !== row.authenticationSchemaId && !schemas.some((one) => one.id === schema))
      throw fieldError('authenticationSchemaId', 'errorSchema')
    const schemaName = (own: string | null) => schemas.find((one) => one.id === own)?.code ?? null
    await claim(tx, id, changes)
    const settings = {
      ...(body.isEditable === undefined ? {} : { isEditable: body.isEditable }),
      ...(schema === undefined ? {} : { authenticationSchemaId: schema }),
    }
    const names = Object.keys(columns)
    const codes = Object.keys(dynamic)
    const values = withChanges(row.values, dynamic)
    const stateOf = (of: Account, dynamicValues: Account['values']) => ({
      ...recordedColumns(of, names),
      isEditable: of.isEditable,
      authenticationSchema: schemaName(of.authenticationSchemaId),
      ...recordedValues(dynamicValues, codes),
    })
    const next = { ...row, ...columns, ...settings } as Account
    const subtype = { subtype: blocksOf(fields) }
    if (!(await record(tx, ctx, userEntity, id, stateOf(row, row.values), stateOf(next, values), subtype)))
      return undefined
    await leaveContacts(tx, ctx, row, columns)
    await storeAdministered(tx, row, { ...columns, ...settings, values })
    return refreshSessions(tx, id, ctx.now())
  }
  const afterCommit = await db().transaction((tx) => (ways ? keepingAdministrator(tx, () => change(tx)) : change(tx)))
  await afterCommit?.()
  return {}
}

/**
 * Deletes an account, its sessions and what applications got for it; a mail says so. Needs users.write. Throws 404, 403
 * forbiddenUser, 409 ownAccount and lastAdministrator (docs/rules/people.md#administration-of-users).
 */
export async function deleteUser(ctx: Ctx, { params: { id } }: VerbInput<typeof calls.deleteUser>) {
  requireMethod(ctx, 'users.write')
  if (id === ctx.user?.id) throw new AppError(409, 'ownAccount')
  const afterCommit = await db().transaction((tx) =>
    keepingAdministrator(tx, async () => {
      const account = await lockAdministered(tx, ctx, id)
      const { email: to, firstName: name, login, locale } = account
      const values = { name, login, date: ctx.now() }
      if (to)
        await sendMail(tx, ctx, { template: 'accountDeleted', to, userId: null, ...(locale ? { locale } : {}), values })
      await endAttempts(tx, id, ctx.now())
      const ended = await endUserSessions(tx, ctx, id, 'deleted')
      const told = await removeAccount(tx, ctx, id)
      return () => ended().then(told)
    }),
  )
  await afterCommit()
  return {}
}
