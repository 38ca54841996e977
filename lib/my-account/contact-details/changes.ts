import type { Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { changeMainContact, confirmMainContact, type OwnAccount, touchAccount } from '@/lib/accounts/users/own'
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

/** Milliseconds for which a code that was entered allows a contact to become the main one. */
const provenFor = 15 * 60_000

type Snapshot = Awaited<ReturnType<typeof snapshot>>

/** The contacts as they are now, for the comparison and for the history. */
async function snapshot(tx: Transaction, userId: string) {
  const [main, rows] = [await selectMain(userId, tx), await selectContactRows(tx, userId)]
  if (!main) throw new AppError(404)
  return { main, rows, info: contactsOf(main, rows) }
}

/** What the history says of contacts: the values of each kind, and the marks of each contact by its value. */
function recordedOf({ main, info }: Snapshot, about: readonly string[]) {
  const others = (kind: ContactKind) => info[listOf[kind]].filter((each) => each.additional).map(({ value }) => value)
  const all = [...info.emails, ...info.mobiles]
  const marks = about.flatMap((value): [string, string | string[] | null][] => {
    const found = all.find((each) => each.value === value)
    const messengers = found && found.messengers.length > 0 ? [...found.messengers] : null
    return [
      [`contactAgreement:${value}`, found && found.agreement !== 'notReceived' ? found.agreement : null],
      [`contactMessengers:${value}`, messengers],
    ]
  })
  return {
    email: main.email,
    mobile: main.mobile,
    otherEmails: others('email'),
    otherMobiles: others('mobile'),
    ...(Object.fromEntries(marks) as Record<`contactAgreement:${string}`, 'received' | null>),
  }
}

const valuesIn = ({ info }: Snapshot) => [...info.emails, ...info.mobiles].map(({ value }) => value)

/**
 * Runs a change of the contacts of a locked account, gives the account a new version, and records what differs. Returns
 * whether anything did.
 */
async function recording(tx: Transaction, ctx: Ctx, userId: string, change: (before: Snapshot) => Promise<unknown>) {
  const before = await snapshot(tx, userId)
  await change(before)
  const after = await snapshot(tx, userId)
  const about = [...new Set([...valuesIn(before), ...valuesIn(after)])]
  const changed = await audit(tx, ctx, userEntity, userId, recordedOf(before, about), recordedOf(after, about))
  if (changed) await touchAccount(tx, userId)
  return changed
}

/** Mails the previous address that another one is the main one, or the e-mail that the number is another one. */
async function tellPrevious(tx: Transaction, ctx: Ctx, account: OwnAccount, kind: ContactKind, value: string) {
  // a number that changes is told by e-mail; an e-mail that appears for the first time replaces nothing
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

const keptError = { email: 'errorDirectoryEmail', mobile: 'errorReadOnly' } as const
const takenError = { email: 'errorEmailRegistered', mobile: 'errorMobileRegistered' } as const

/**
 * Requires that an e-mail may become the main one of an account that no directory keeps: who reads the mail of a claimed
 * domain signs in by its directory (docs/rules/people.md#directory-accounts). Throws 400 errorEmailOfDirectory for the field.
 */
export async function requireOwnDomain(email: string, field: string, tx?: Transaction) {
  if (await isDirectoryEmail(email, tx)) throw fieldError(field, 'errorEmailOfDirectory')
}

/**
 * Makes a proven contact the main one. The one before stays as an additional contact. Links and attempts that went to
 * it end. Throws 400 for the field if the contact is somebody else's, the account a directory's, or the mail domain one
 * that a directory claims.
 */
async function makeMain(
  tx: Transaction,
  ctx: Ctx,
  account: OwnAccount,
  { kind, value, verifiedAt, field }: { kind: ContactKind; value: string; verifiedAt: Date; field: string },
) {
  if ((await keptFields())(account.providerId).has(kind)) throw fieldError(field, keptError[kind])
  if (kind === 'email') await requireOwnDomain(value, field, tx)
  const taken = () => fieldError(field, takenError[kind])
  const now = ctx.now()
  const before = account[kind]
  const provenBefore = kind === 'email' ? account.emailVerifiedAt : account.mobileVerifiedAt
  await changeMainContact(tx, account, { kind, value, verifiedAt, taken })
  if (before)
    await storeContact(
      tx,
      account.id,
      { kind, value: stored(kind, before), ...(provenBefore ? { verifiedAt: provenBefore } : {}) },
      now,
    )
  await cancelLinks(tx, account.id, ['recovery', 'entry'], now)
  await endAttempts(tx, account.id, now)
  await tellPrevious(tx, ctx, account, kind, value)
}

type Wanted = NonNullable<ContactsInput['emails']>[number]

const mainOf = (account: OwnAccount, kind: ContactKind) => account[kind] && stored(kind, account[kind])

/** A contact of a list as it is stored; the present main one stays as it is. Throws 400. */
function wantedValue(account: OwnAccount, kind: ContactKind, value: string) {
  const main = mainOf(account, kind)
  return main !== null && stored(kind, value) === main ? main : normalized(kind, value)
}

/** The faults of one list: what is no contact, what stands twice, and not exactly one main contact where there is one. */
function faultsOf(account: OwnAccount, kind: ContactKind, list: Wanted[], at: string): FieldError[] {
  const found: FieldError[] = []
  const values = list.map(({ value }, n) => {
    try {
      return wantedValue(account, kind, value)
    } catch (error) {
      const [fault] = error instanceof AppError ? (error.data.errorList ?? []) : []
      if (!fault) throw error
      found.push({ ...fault, field: `${at}.${n}.value` })
      return null
    }
  })
  values.forEach((value, n) => {
    if (value !== null && values.indexOf(value) < n)
      found.push({ field: `${at}.${n}.value`, code: 'errorContactTwice' })
  })
  const mains = list.filter(({ main }) => main).length
  if (mains > 1 || (mains === 0 && account[kind] !== null)) found.push({ field: at, code: 'errorContactMain' })
  if (kind === 'email')
    list.forEach(({ messengers }, n) => {
      if (messengers.length > 0) found.push({ field: `${at}.${n}.messengers`, code: 'errorUnknownField' })
    })
  return found
}

async function saveKind(
  tx: Transaction,
  ctx: Ctx,
  account: OwnAccount,
  {
    kind,
    list,
    at,
    before,
    fresh,
  }: { kind: ContactKind; list: Wanted[]; at: string; before: Snapshot; fresh: boolean },
) {
  const now = ctx.now()
  const own = before.rows.filter((row) => row.kind === kind)
  const wanted = list.map((each) => ({ ...each, value: wantedValue(account, kind, each.value) }))
  for (const { value, messengers, agreement } of wanted)
    await storeContact(tx, account.id, { kind, value, messengers, agreement }, now)
  const main = wanted.find((each) => each.main)
  if (main && main.value !== mainOf(account, kind)) {
    const field = `${at}.${wanted.indexOf(main)}.value`
    const { verifiedAt } = own.find(({ value }) => value === main.value) ?? {}
    if (!fresh || !verifiedAt || now.getTime() - verifiedAt.getTime() > provenFor)
      throw fieldError(field, 'errorContactUnproven')
    await makeMain(tx, ctx, account, { kind, value: main.value, verifiedAt, field })
  }
  const gone = (await selectContactRows(tx, account.id)).filter(
    (row) => row.kind === kind && !wanted.some(({ value }) => value === row.value),
  )
  if (gone.length > 0)
    await removeContacts(
      tx,
      account.id,
      gone.map(({ id }) => id),
    )
}

/**
 * Gives a locked account these contacts, and records the change: of a kind that is given, all that are not in it are
 * removed. A contact becomes the main one only within 15 minutes of its code, in a session that is `fresh`. `at` is the name of the input in the
 * errors. Throws 400 with the faulty fields. Returns whether anything changed.
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
  return recording(tx, ctx, account.id, async (before) => {
    for (const part of parts) await saveKind(tx, ctx, account, { ...part, before, fresh })
  })
}

/**
 * Notes that a locked account's person has proven a contact: a new one is added, and with `main` becomes the main one:
 * in a session that isn't `trusted` only if it still is, else 400 errorPasswordNeeded. Throws as `makeMain`.
 */
export function storeProven(
  tx: Transaction,
  ctx: Ctx,
  account: OwnAccount,
  { kind, value, main, trusted }: { kind: ContactKind; value: string; main: boolean; trusted: boolean },
): Promise<boolean> {
  const verifiedAt = ctx.now()
  return recording(tx, ctx, account.id, async ({ info }) => {
    const list = info[listOf[kind]]
    if (!list.some((each) => each.value === value) && list.length >= mostContacts)
      throw fieldError('value', 'errorTooMany')
    await storeContact(tx, account.id, { kind, value, verifiedAt }, verifiedAt)
    const isMain = mainOf(account, kind) === value
    // another one took its place while this waited
    if (main && !isMain && !trusted) throw fieldError('password', 'errorPasswordNeeded')
    if (isMain) await confirmMainContact(tx, account.id, kind, verifiedAt)
    else if (main) await makeMain(tx, ctx, account, { kind, value, verifiedAt, field: 'value' })
  })
}
