import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { emailsInvitedToMore } from '@/lib/access/rights/service'
import type { UserChange } from '@/lib/accounts/user-table/fields'
import {
  type AdministeredValues,
  giveDefaultRole,
  insertAdministered,
  storeAdministered,
} from '@/lib/accounts/users/administered'
import { userEntity } from '@/lib/accounts/users/entity'
import type { ContactKind } from '@/lib/accounts/users/own'
import type { lockAccount } from '@/lib/accounts/users/personal'
import { preparer, preparerColumnsOfNew } from '@/lib/accounts/users/prepared'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { claimUnique } from '@/lib/fields/values/unique'
import { blocksOf, recordedValues, withChanges } from '@/lib/fields/values/values'
import { preparerAt } from '@/lib/identity-providers/connections/service'
import { sendMail } from '@/lib/messaging/sender/service'
import { endAttempts } from '@/lib/sign-in/attempts/attempt'
import { cancelLinks, createLink } from '@/lib/sign-in/email-links/service'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { platformSettings } from '@/lib/site/settings/service'

export type Account = NonNullable<Awaited<ReturnType<typeof lockAccount>>>
type AuditedValues = Record<string, unknown>

/** Stores an account's unique values. Throws 400 by field for those that another account has. */
async function claimValues(tx: Transaction, userId: string, { fields, dynamic }: UserChange) {
  const taken = await claimUnique(tx, { userId }, fields, dynamic)
  const errorList = taken.map((code) => ({ field: `values.${code}`, code: 'errorUnique' }))
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
}

/**
 * Throws 403 forbiddenUser for an e-mail to which an invitation gives a method that the caller lacks: the account could
 * accept it.
 */
async function requireUninvited(tx: Transaction, ctx: Ctx, { columns: { email } }: UserChange) {
  if (email && (await emailsInvitedToMore(tx, ctx, [email])).size > 0) throw new AppError(403, 'forbiddenUser')
}

/** Returns columns as audit events record them, with null for an empty text. */
const auditedColumns = (row: AdministeredValues, columns: string[]): AuditedValues =>
  Object.fromEntries(columns.map((code) => [code, row[code as 'login'] || null]))

type ContactChange = { columns: AdministeredValues; silent: boolean }

type MailRecipient = Pick<Account, 'id' | 'login' | 'firstName'> & { email: string }

/** Returns the mail with a link that sets the first password. */
export const entryMail = (
  ctx: Ctx,
  { id: userId, email: to, login, firstName: name }: MailRecipient,
  link: string,
  seconds: number,
) => ({
  template: 'firstEntry' as const,
  to,
  userId,
  expiresAt: new Date(ctx.now().getTime() + seconds * 1000),
  values: { name, login, link: `${ctx.domain.origin}/platform/login/password/${link}`, alive: seconds },
})

/**
 * Mails a locked account without a password a link that sets the first one. It works for `firstRefreshAlive` seconds;
 * earlier links stop working. Throws 409 directoryAccount, userDisabled, userHasPassword and userWithoutEmail
 * (docs/rules/people.md#administration-of-users).
 */
export async function mailEntryLink(
  tx: Transaction,
  ctx: Ctx,
  account: Pick<Account, 'id' | 'providerId' | 'enabled' | 'passwordHash' | 'email' | 'login' | 'firstName'>,
) {
  if (account.providerId) throw new AppError(409, 'directoryAccount')
  if (!account.enabled) throw new AppError(409, 'userDisabled')
  if (account.passwordHash) throw new AppError(409, 'userHasPassword')
  if (!account.email) throw new AppError(409, 'userWithoutEmail')
  const { firstRefreshAlive: seconds } = await platformSettings()
  const linkId = await createLink(tx, ctx, 'entry', { userId: account.id }, seconds)
  await sendMail(tx, ctx, entryMail(ctx, { ...account, email: account.email }, linkId, seconds))
}

/** What a new account has besides its fields, such as its id in another system. */
export type Origin = {
  externalId?: string | undefined
  passwordHash?: string | undefined
  /** The directory that keeps the account. */
  providerId?: string | undefined
  /** The contacts that the directory has proven. */
  proven?: readonly ContactKind[] | undefined
}

/** The login of a new account, which by default is its e-mail. */
export const loginOf = ({ columns }: UserChange): string | null | undefined => columns.login ?? columns.email

/** `who` is the preparer of the account (null: an administrator or a directory). */
type NewAccountValues = { login: string; roleId: string; who: string | null }

/** Returns the row of a new account, and what its audit event records. */
export function newAccount(
  ctx: Ctx,
  { columns, dynamic }: UserChange,
  { login, roleId, who, externalId, providerId, passwordHash, proven = [] }: Origin & NewAccountValues,
) {
  const row = {
    ...{ email: null, mobile: null, firstName: '', locale: null, ...columns, id: randomUUID(), login },
    ...(externalId ? { externalId } : {}),
    ...(providerId ? { providerId } : {}),
    ...(passwordHash ? { passwordHash, passwordChangedAt: ctx.now() } : {}),
    ...(proven.includes('email') && columns.email ? { emailVerifiedAt: ctx.now() } : {}),
    ...(proven.includes('mobile') && columns.mobile ? { mobileVerifiedAt: ctx.now() } : {}),
    values: withChanges({}, dynamic),
    ...preparerColumnsOfNew(who),
    createdAt: ctx.now(),
  }
  const origin: AuditedValues = {
    ...(externalId ? { externalId } : {}),
    ...(passwordHash ? { password: passwordHash } : {}),
  }
  const recorded = {
    ...auditedColumns({ ...columns, login }, [...Object.keys(columns), 'login']),
    ...origin,
    enabled: true,
    roles: [roleId],
    ...recordedValues(dynamic, Object.keys(dynamic)),
  }
  return { row, recorded }
}
export type NewAccountRow = ReturnType<typeof newAccount>['row']

/**
 * Stores a new account with the role of the setting `defaultUserRole`, and mails its first-entry link if asked to. Call
 * `holdUniqueness` before. Returns its id. Throws 400 by field, 403 forbiddenUser for an e-mail to which an invitation
 * gives a method that the caller lacks, 409 for an identifier that is taken at the same moment, and what the link needs
 * (docs/rules/people.md#administration-of-users).
 */
export async function createIn(
  tx: Transaction,
  ctx: Ctx,
  change: UserChange,
  { sendLink = false, externalId, passwordHash, providerId, proven }: Origin & { sendLink?: boolean | undefined } = {},
): Promise<string> {
  const login = loginOf(change)
  if (!login) throw fieldError('values.login', 'errorEmpty')
  if (sendLink && !change.columns.email) throw fieldError('values.email', 'errorEmpty')
  await requireUninvited(tx, ctx, change)
  const { defaultUserRole } = await platformSettings()
  const origin = { externalId, passwordHash, providerId, proven }
  const preparerId = providerId ? await preparerAt(tx, providerId) : await preparer(tx, ctx)
  const { row, recorded } = newAccount(ctx, change, { ...origin, login, roleId: defaultUserRole, who: preparerId })
  await insertAdministered(tx, row)
  await claimValues(tx, row.id, change)
  await giveDefaultRole(tx, [row.id], defaultUserRole)
  await audit(tx, ctx, userEntity, row.id, null, recorded, { subtype: blocksOf(change.fields) })
  if (sendLink)
    await mailEntryLink(tx, ctx, { ...row, providerId: null, enabled: true, passwordHash: passwordHash ?? null })
  return row.id
}

/**
 * Ends the links and attempts of an account whose contact changes: what an attempt has proven no longer belongs to the
 * account. Mails this to the previous e-mail, unless the change is `silent` because a directory tells its people
 * itself.
 */
async function endFormerContacts(tx: Transaction, ctx: Ctx, account: Account, { columns, silent }: ContactChange) {
  for (const kind of ['email', 'mobile'] as const) {
    const value = columns[kind]
    if (value === undefined || value === account[kind] || !account[kind]) continue
    await cancelLinks(tx, account.id, ['recovery', 'entry'], ctx.now())
    await endAttempts(tx, account.id, ctx.now())
    if (!account.email || silent) continue
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
 * Returns whether a change of an account replaces a contact: its person may then no longer sign in by it, or only after
 * a proof that they can't give. Run such a change inside `keepingSignInOf`.
 */
export const changesContact = (account: Pick<Account, ContactKind>, { columns }: Pick<UserChange, 'columns'>) =>
  (['email', 'mobile'] as const).some((kind) => columns[kind] !== undefined && columns[kind] !== account[kind])

/** Columns of an account that aren't fields and change with its fields, and what audit events record of them. */
type FurtherChange = {
  columns: AdministeredValues
  recorded: (account: Account) => AuditedValues
  /** No mail is sent to the previous e-mail: a directory tells its people itself. */
  silent?: boolean
}

/**
 * Stores a change of an account that the transaction has locked by `lockAdministered`. Call `holdUniqueness` before. A
 * contact that changes becomes unproven, and the previous one gets a mail. Returns a function to run after the commit;
 * undefined if nothing differs. Throws 400 by field, 403 forbiddenUser as `createIn`, and 409 for an identifier that is
 * taken at the same moment (docs/rules/people.md#administration-of-users).
 */
export async function changeIn(tx: Transaction, ctx: Ctx, row: Account, change: UserChange, further: FurtherChange) {
  const { columns, dynamic, fields } = change
  if (columns.email !== row.email) await requireUninvited(tx, ctx, change)
  await claimValues(tx, row.id, change)
  const names = Object.keys(columns)
  const codes = Object.keys(dynamic)
  const values = withChanges(row.values, dynamic)
  const auditedState = (account: Account, dynamicValues: Account['values']) => ({
    ...auditedColumns(account, names),
    ...further.recorded(account),
    ...recordedValues(dynamicValues, codes),
  })
  const next = { ...row, ...columns, ...further.columns } as Account
  const [before, after] = [auditedState(row, row.values), auditedState(next, values)]
  if (!(await audit(tx, ctx, userEntity, row.id, before, after, { subtype: blocksOf(fields) }))) return undefined
  await endFormerContacts(tx, ctx, row, { columns, silent: further.silent === true })
  const directoryPreparer = further.silent && row.providerId ? await preparerAt(tx, row.providerId) : null
  const preparerId = further.silent ? directoryPreparer : await preparer(tx, ctx)
  const author = further.silent && !preparerId ? null : { who: preparerId, now: ctx.now() }
  await storeAdministered(tx, row, { ...columns, ...further.columns, values }, author)
  return invalidateSessions(tx, row.id, ctx.now())
}
