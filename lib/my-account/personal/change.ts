import { db, type Transaction } from '@/db/client'
import { userEntity } from '@/lib/accounts/users/entity'
import { isLoginTaken, lockAccount, type PersonalValues, storePersonal } from '@/lib/accounts/users/personal'
import { audit } from '@/lib/base/audit/audit'
import { requireVersion } from '@/lib/base/audit/conflict'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'
import { namesAfter, tidyName } from '@/lib/fields/names'
import { profileFields } from '@/lib/fields/profile-fields/service'
import { begun, concerns } from '@/lib/fields/values/actions'
import { type Definition, historyName, isBase, storedUnder, uniqueText, viewOf } from '@/lib/fields/values/definition'
import { checkValue } from '@/lib/fields/values/schema'
import { claimUnique, holdUniqueness } from '@/lib/fields/values/unique'
import { blocksOf, checkValues, recordedValues, withChanges } from '@/lib/fields/values/values'
import { keptFields } from '@/lib/identity-providers/connections/kept-fields'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { contactRefusal } from '../contact-details/allowed'
import { saveContacts } from '../contact-details/changes'
import { listOf } from '../contact-details/list'
import { isFreshSession } from '../contact-details/recent'
import { shownTo } from '../contact-details/service'
import { storeLanguage } from '../settings/service'
import type * as calls from './contract'
import { isName, isNameLocked, mayEdit, ownFields, writableFields } from './fields'
import { countUniqueTry } from './unique-tries'
import { neededContacts, neededInfo, neededValues } from './unneeded'

type Body = ServiceInput<typeof calls.updateProfile>['body']
type MainInfo = ReturnType<typeof neededInfo>['needed']
type Account = NonNullable<Awaited<ReturnType<typeof lockAccount>>>
/** The own account with the fields that its provider keeps. */
type Own = Account & { kept: ReadonlySet<string> }
type Checked = { values: PersonalValues; faults: FieldError[] }

const parts = ['lastName', 'firstName', 'middleName'] as const
const fieldOf = (code: string) => `mainInfo.${code}`

/** The row as its owner may see it, so that a conflict shows no more than the profile does. */
function shownRow(account: Account, fields: readonly Definition[]) {
  const own = fields.map((field) =>
    isBase(field)
      ? [field.code, account[field.code as keyof Account]]
      : [historyName(field.code), storedUnder(account.values, field.code)],
  )
  return { ...Object.fromEntries(own), updatedAt: account.updatedAt } as { updatedAt: Date }
}

const nameRules = {
  base: true,
  fieldType: 'input' as const,
  multiple: false,
  pattern: null,
  minLength: null,
  maxLength: null,
  latin: false,
  options: [],
}

/** The whole name as it was sent, or its parts: those that are left out stay. */
function namesSent(account: Account, sent: MainInfo) {
  if (parts.every((code) => sent[code] === undefined)) return { fio: sent.fio ?? '' }
  const part = (code: (typeof parts)[number]) => (sent[code] === undefined ? account[code] : (sent[code] ?? ''))
  return { lastName: part('lastName'), firstName: part('firstName'), middleName: part('middleName') }
}

/** The required names that would be empty, each at the field that was sent for it, and each field once. */
function emptyNames(given: readonly string[], shown: readonly Definition[], names: PersonalValues): FieldError[] {
  const missing = shown.filter(({ code, profile }) => profile.required && names[code as 'fio'] === '')
  const at = new Set(missing.map(({ code }) => (given.includes(code) ? code : (given[0] ?? code))))
  return [...at].map((code) => ({ field: fieldOf(code), code: 'errorEmpty' }))
}

/**
 * The names after a change: the full name or its parts are sent, and the other form is made of them. A directory keeps
 * the names of its accounts.
 */
function namesOf(ctx: Ctx, account: Own, fields: readonly Definition[], sent: MainInfo): Checked {
  const given = Object.keys(sent).filter(isName)
  if (given.length === 0) return { values: {}, faults: [] }
  const names = namesAfter(namesSent(account, sent), account, ctx.locale)
  const faultsAt = (codes: readonly string[], code: string): FieldError[] =>
    codes.map((name) => ({ field: fieldOf(name), code }))
  if (account.providerId !== null) {
    const same = (['fio', ...parts] as const).every((code) => tidyName(account[code]) === names[code])
    return { values: {}, faults: same ? [] : faultsAt(given, 'errorDirectoryName') }
  }
  const shown = fields.filter((field) => isBase(field) && isName(field.code))
  const locked = given.filter((code) => isNameLocked(code, shown, account))
  if (locked.length > 0) return { values: {}, faults: faultsAt(locked, 'errorReadOnly') }
  const wrong = given.flatMap((code): FieldError[] => {
    const rules = { ...nameRules, code, required: false }
    const checked = checkValue(rules, sent[code as 'fio'], { now: ctx.now(), field: fieldOf(code) })
    return 'fault' in checked ? [checked.fault] : []
  })
  return { values: names, faults: [...wrong, ...emptyNames(given, shown, names)] }
}

/** The other columns of the profile, each by its definition. */
function columnsOf(ctx: Ctx, account: Own, fields: readonly Definition[], sent: MainInfo): Checked {
  const values: Record<string, unknown> = {}
  const faults: FieldError[] = []
  for (const [code, value] of Object.entries(sent)) {
    if (isName(code) || value === undefined) continue
    const field = fields.find((one) => isBase(one) && one.code === code)
    if (!field || !mayEdit(field, account)) {
      faults.push({ field: fieldOf(code), code: field ? 'errorReadOnly' : 'errorUnknownField' })
      continue
    }
    const required = field.profile.required || code === 'login'
    const rules = viewOf(field, { locale: ctx.locale, locales: ctx.domain.locales, required })
    const about = { now: ctx.now(), stored: account[code as 'locale'], email: account.email ?? undefined }
    const checked = checkValue(rules, value, { ...about, field: fieldOf(code) })
    if ('fault' in checked) faults.push(checked.fault)
    // the comment is a text that may be empty
    else values[code] = code === 'comment' ? (checked.value ?? '') : checked.value
  }
  return { values: values as PersonalValues, faults }
}

/** What an action that somebody enters needs and the change leaves out: an empty value, which is refused. */
const askedOf = (fields: readonly Definition[], account: Own, after: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    begun(fields, account.values, after)
      .filter(
        (field) =>
          field.profile.required && field.profile.visible && mayEdit(field, account) && field.fieldType !== 'picture',
      )
      .map(({ code }) => [code, null]),
  )

/** The columns and dynamic values with these codes, as a change is recorded from them. */
const snapshot = (row: PersonalValues, columns: string[], values: Account['values'], codes: string[]) => ({
  ...(Object.fromEntries(columns.map((code) => [code, row[code as 'fio'] || null])) as ReturnType<
    typeof recordedValues
  >),
  ...recordedValues(values, codes),
})

/** The kinds of contacts that are sent and that the flags of their fields don't let people change. */
const contactFaults = (sent: Body['contacts'], fields: readonly Definition[]): FieldError[] =>
  (['email', 'mobile'] as const).flatMap((kind) => {
    const code = sent?.[listOf[kind]] ? contactRefusal(kind, fields) : null
    return code ? [{ field: `contacts.${listOf[kind]}`, code }] : []
  })

const refuse = (faults: FieldError[]) => {
  if (faults.length > 0) throw new AppError(400, undefined, { errorList: faults })
}

/** Stores unique values; throws 400 for those that somebody else has. */
async function requireUnique(
  tx: Transaction,
  userId: string,
  fields: readonly Definition[],
  values: Readonly<Record<string, unknown>>,
) {
  const taken = await claimUnique(tx, { userId }, fields, values)
  refuse(taken.map((code) => ({ field: `additionalInfo.${code}`, code: 'errorUnique' })))
}

/**
 * Changes fields of the own profile, all or none (docs/rules/profile.md#changing-the-own-account). Throws 401, 403
 * profileReadOnly, 400 by field, 409 if somebody has saved the account since `updatedAt`, and 429 for too many logins and
 * unique values.
 */
export async function changeProfile(ctx: Ctx, { body }: ServiceInput<typeof calls.updateProfile>) {
  requireUser(ctx)
  const userId = ctx.user.id
  const [all, fields, fresh] = await Promise.all([
    profileFields(),
    ownFields(),
    body.contacts || body.contactsInfo ? isFreshSession(ctx) : false,
  ])
  const afterCommit = await db().transaction(async (tx) => {
    if (body.additionalInfo) await holdUniqueness(tx)
    const row = await lockAccount(tx, userId)
    const kept = { read: 'own', id: userId, row: row && shownRow(row, fields), updatedAt: body.updatedAt } as const
    await requireVersion(tx, ctx, userEntity, kept)
    if (!row) throw new AppError(404)
    if (!row.enabled) throw new AppError(401)
    if (!row.isEditable) throw new AppError(403, 'profileReadOnly')
    const own = { ...row, kept: (await keptFields())(row.providerId) }
    const { needed: sent, faults: changedElsewhere } = neededInfo(body.mainInfo ?? {}, own, fields)
    const after = { ...row.values, ...body.additionalInfo }
    const writable = writableFields(ctx, fields, own, (field) => concerns(all, field, after))
    const further = neededValues(body.additionalInfo ?? {}, row.values, writable)
    const sentContacts = body.contacts ?? body.contactsInfo
    const contacts = sentContacts && neededContacts(sentContacts, await shownTo(tx, row, fields), fields)
    const names = namesOf(ctx, own, fields, sent)
    const columns = columnsOf(ctx, own, fields, sent)
    const { changes, faults } = checkValues(
      writable,
      { ...askedOf(all, own, after), ...further },
      {
        now: ctx.now(),
        stored: row.values,
        prefix: 'additionalInfo.',
      },
    )
    refuse([...changedElsewhere, ...names.faults, ...columns.faults, ...faults, ...contactFaults(contacts, fields)])
    const codes = Object.keys(changes)
    const dynamic = fields.filter((field) => !isBase(field) && codes.includes(field.code))
    const { login = row.login } = columns.values
    const wanted = dynamic.some(
      ({ unique, code }) => unique && uniqueText(changes[code]) !== uniqueText(storedUnder(row.values, code)),
    )
    if (wanted || login !== row.login) await countUniqueTry(ctx, userId)
    if (login !== row.login && (await isLoginTaken(tx, login, userId)))
      refuse([{ field: fieldOf('login'), code: 'errorUnique' }])
    await requireUnique(tx, userId, dynamic, changes)

    const given = { ...names.values, ...columns.values }
    const values = withChanges(row.values, changes)
    const changed = await audit<(typeof userEntity)['fields'], ReturnType<typeof historyName>>(
      tx,
      ctx,
      userEntity,
      userId,
      snapshot(row, Object.keys(given), row.values, codes),
      snapshot({ ...row, ...given }, Object.keys(given), values, codes),
      { subtype: blocksOf(dynamic) },
    )
    if (changed) await storePersonal(tx, userId, { ...given, values })
    const moved = contacts ? await saveContacts(tx, ctx, row, contacts, { fresh }) : false
    if (!changed && !moved) return undefined
    // a language chosen in a menu would outlive the one of the profile
    if (given.locale) await storeLanguage(tx, userId, given.locale)
    return invalidateSessions(tx, userId, ctx.now())
  })
  await afterCommit?.()
  return {}
}
