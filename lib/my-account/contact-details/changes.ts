import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { changeMainContact, confirmMainContact, type OwnAccount, touchAccounts } from '@/lib/accounts/users/own'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, type FieldError, fieldError } from '@/lib/base/runtime/errors'
import { keptFields } from '@/lib/identity-providers/connections/kept-fields'
import { isDirectoryEmail } from '@/lib/identity-providers/connections/service'
import { sendMail } from '@/lib/messaging/sender/service'
import { endAttempts } from '@/lib/sign-in/attempts/attempt'
import { cancelLinks } from '@/lib/sign-in/email-links/service'
import { concealed } from './concealed'
import { type ContactKind, type ContactsInput, mostContacts } from './contract'
import { contactsOf, listOf, normalized, stored } from './list'
import { removeContacts, selectContactRows, selectMain, storeContact } from './queries'

/** How long a contact may become the main one after its code was entered, in milliseconds. */
const provenForMs = 15 * 60_000

type Snapshot = Awaited<ReturnType<typeof readSnapshot>>

/** Returns the present contacts, for the comparison and for the audit event. */
async function readSnapshot(tx: Transaction, userId: string) {
  const [main, rows] = [await selectMain(userId, tx), await selectContactRows(tx, userId)]
  if (!main) throw new AppError(404)
  return { main, rows, info: contactsOf(main, rows) }
}

/** Returns the audited values of contacts: the values of each kind, and agreement and messengers of each contact. */
function auditedContacts({ main, info }: Snapshot, values: readonly string[]) {
  const additionalValues = (kind: ContactKind) =>
    info[listOf[kind]].filter((contact) => contact.additional).map(({ value }) => value)
  const allContacts = [...info.emails, ...info.mobiles]
  const details = values.flatMap((value): [string, string | string[] | null][] => {
    const match = allContacts.find((contact) => contact.value === value)
    const messengers = match && match.messengers.length > 0 ? [...match.messengers] : null
    return [
      [`contactAgreement:${value}`, match && match.agreement !== 'notReceived' ? match.agreement : null],
      [`contactMessengers:${value}`, messengers],
    ]
  })
  return {
    email: main.email,
    mobile: main.mobile,
    otherEmails: additionalValues('email'),
    otherMobiles: additionalValues('mobile'),
    ...(Object.fromEntries(details) as Record<`contactAgreement:${string}`, 'received' | null>),
  }
}

const valuesIn = ({ info }: Snapshot) => [...info.emails, ...info.mobiles].map(({ value }) => value)

/**
 * Runs a change of the contacts of a locked account, gives the account a new version, and makes an audit event of the
 * difference. Returns whether there was one.
 */
async function auditedChange(
  tx: Transaction,
  ctx: Ctx,
  userId: string,
  change: (before: Snapshot) => Promise<unknown>,
) {
  const before = await readSnapshot(tx, userId)
  await change(before)
  const after = await readSnapshot(tx, userId)
  const values = [...new Set([...valuesIn(before), ...valuesIn(after)])]
  const changed = await audit(
    tx,
    ctx,
    userEntity,
    userId,
    auditedContacts(before, values),
    auditedContacts(after, values),
  )
  if (changed) await touchAccounts(tx, [userId])
  return changed
}

/** Sends a mail about a new main contact: to the previous address, or about a new number to the e-mail. */
async function notifyPrevious(tx: Transaction, ctx: Ctx, account: OwnAccount, kind: ContactKind, value: string) {
  // a changed number is reported by e-mail; the first e-mail of an account replaces nothing
  if (!account.email || !account[kind]) return
  await sendMail(tx, ctx, {
    template: 'contactChanged',
    to: account.email,
    userId: account.id,
    values: {
      name: account.firstName,
      kind,
      value: concealed(kind, value),
      date: ctx.now(),
      ip: ctx.ip,
      link: `${ctx.domain.origin}/platform/forgot-password`,
    },
  })
}

const directoryError = { email: 'errorDirectoryEmail', mobile: 'errorReadOnly' } as const
const takenError = { email: 'errorEmailRegistered', mobile: 'errorMobileRegistered' } as const

/**
 * Requires that an e-mail may become the main one of an account without a directory: people with an e-mail of a claimed
 * domain sign in through its directory (docs/rules/people.md#directory-accounts). Throws 400 errorEmailOfDirectory for
 * the field.
 */
export async function requireOwnDomain(email: string, field: string, tx?: Transaction) {
  if (await isDirectoryEmail(email, tx)) throw fieldError(field, 'errorEmailOfDirectory')
}

/**
 * Makes a proven contact the main one. The previous one stays as an additional contact. Links and attempts that were
 * sent to it end. Throws 400 for the field if the contact belongs to another account, a directory keeps it, or a
 * directory claims the mail domain.
 */
async function makeMain(
  tx: Transaction,
  ctx: Ctx,
  account: OwnAccount,
  { kind, value, verifiedAt, field }: { kind: ContactKind; value: string; verifiedAt: Date; field: string },
) {
  if ((await keptFields())(account.providerId).has(kind)) throw fieldError(field, directoryError[kind])
  if (kind === 'email') await requireOwnDomain(value, field, tx)
  const takenFault = () => fieldError(field, takenError[kind])
  const now = ctx.now()
  const before = account[kind]
  const provenBefore = kind === 'email' ? account.emailVerifiedAt : account.mobileVerifiedAt
  await changeMainContact(tx, account, { kind, value, verifiedAt, taken: takenFault })
  if (before)
    await storeContact(
      tx,
      account.id,
      { kind, value: stored(kind, before), ...(provenBefore ? { verifiedAt: provenBefore } : {}) },
      now,
    )
  await cancelLinks(tx, account.id, ['recovery', 'entry'], now)
  await endAttempts(tx, account.id, now)
  await notifyPrevious(tx, ctx, account, kind, value)
}

type ContactItem = NonNullable<ContactsInput['emails']>[number]

const mainOf = (account: OwnAccount, kind: ContactKind) => account[kind] && stored(kind, account[kind])

/** Returns the normalized value of a contact of a list; the present main one stays unchanged. Throws 400. */
function listedValue(account: OwnAccount, kind: ContactKind, value: string) {
  const main = mainOf(account, kind)
  return main !== null && stored(kind, value) === main ? main : normalized(kind, value)
}

/**
 * Returns the faults of one list: invalid and repeated contacts, and any number of main contacts but one, unless there
 * was none.
 */
function faultsOf(account: OwnAccount, kind: ContactKind, list: ContactItem[], path: string): FieldError[] {
  const faults: FieldError[] = []
  const values = list.map(({ value }, index) => {
    try {
      return listedValue(account, kind, value)
    } catch (error) {
      const [fault] = error instanceof AppError ? (error.data.errorList ?? []) : []
      if (!fault) throw error
      faults.push({ ...fault, field: `${path}.${index}.value` })
      return null
    }
  })
  values.forEach((value, index) => {
    if (value !== null && values.indexOf(value) < index)
      faults.push({ field: `${path}.${index}.value`, code: 'errorContactTwice' })
  })
  const mains = list.filter(({ main }) => main).length
  if (mains > 1 || (mains === 0 && account[kind] !== null)) faults.push({ field: path, code: 'errorContactMain' })
  if (kind === 'email')
    list.forEach(({ messengers }, index) => {
      if (messengers.length > 0) faults.push({ field: `${path}.${index}.messengers`, code: 'errorUnknownField' })
    })
  return faults
}

async function saveKind(
  tx: Transaction,
  ctx: Ctx,
  account: OwnAccount,
  {
    kind,
    list,
    at: path,
    before,
    fresh: freshSession,
  }: { kind: ContactKind; list: ContactItem[]; at: string; before: Snapshot; fresh: boolean },
) {
  const now = ctx.now()
  const ownRows = before.rows.filter((row) => row.kind === kind)
  const newContacts = list.map((item) => ({ ...item, value: listedValue(account, kind, item.value) }))
  for (const { value, messengers, agreement } of newContacts)
    await storeContact(tx, account.id, { kind, value, messengers, agreement }, now)
  const main = newContacts.find((item) => item.main)
  if (main && main.value !== mainOf(account, kind)) {
    const field = `${path}.${newContacts.indexOf(main)}.value`
    const { verifiedAt } = ownRows.find(({ value }) => value === main.value) ?? {}
    if (!freshSession || !verifiedAt || now.getTime() - verifiedAt.getTime() > provenForMs)
      throw fieldError(field, 'errorContactUnproven')
    await makeMain(tx, ctx, account, { kind, value: main.value, verifiedAt, field })
  }
  const removed = (await selectContactRows(tx, account.id)).filter(
    (row) => row.kind === kind && !newContacts.some(({ value }) => value === row.value),
  )
  if (removed.length > 0)
    await removeContacts(
      tx,
      account.id,
      removed.map(({ id }) => id),
    )
}

/**
 * Replaces the contacts of a locked account, and makes an audit event: of each kind in the input, contacts that aren't
 * in the list are removed. A contact becomes the main one only within 15 minutes of its code, in a session that is
 * `fresh`. `at` is the name of the input in the errors. Throws 400 with the faulty fields. Returns whether anything
 * changed.
 */
export function saveContacts(
  tx: Transaction,
  ctx: Ctx,
  account: OwnAccount,
  contacts: ContactsInput,
  { fresh, at = 'contacts' }: { fresh: boolean; at?: string },
): Promise<boolean> {
  const parts = (['email', 'mobile'] as const).flatMap((kind) => {
    const list = contacts[listOf[kind]]
    return list ? [{ kind, list, at: `${at}.${listOf[kind]}` }] : []
  })
  const errorList = parts.flatMap(({ kind, list, at: field }) => faultsOf(account, kind, list, field))
  if (errorList.length > 0) throw new AppError(400, undefined, { errorList })
  return auditedChange(tx, ctx, account.id, async (before) => {
    for (const part of parts) await saveKind(tx, ctx, account, { ...part, before, fresh })
  })
}

/**
 * Stores that the person of a locked account has proven a contact: adds a new one, and with `main` makes it the main
 * one; in a session that isn't `trusted` only if it is still the main one, else throws 400 errorPasswordNeeded. Also
 * throws the errors of `makeMain`.
 */
export function storeProvenContact(
  tx: Transaction,
  ctx: Ctx,
  account: OwnAccount,
  { kind, value, main, trusted }: { kind: ContactKind; value: string; main: boolean; trusted: boolean },
): Promise<boolean> {
  const verifiedAt = ctx.now()
  return auditedChange(tx, ctx, account.id, async ({ info }) => {
    const list = info[listOf[kind]]
    if (!list.some((contact) => contact.value === value) && list.length >= mostContacts)
      throw fieldError('value', 'errorTooMany')
    await storeContact(tx, account.id, { kind, value, verifiedAt }, verifiedAt)
    const isMain = mainOf(account, kind) === value
    // another contact became the main one while this transaction waited
    if (main && !isMain && !trusted) throw fieldError('password', 'errorPasswordNeeded')
    if (isMain) await confirmMainContact(tx, account.id, kind, verifiedAt)
    else if (main) await makeMain(tx, ctx, account, { kind, value, verifiedAt, field: 'value' })
  })
}
