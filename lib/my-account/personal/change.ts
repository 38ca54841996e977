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
import { begunActionFields, concerns } from '@/lib/fields/values/actions'
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
import { visibleContactsOf } from '../contact-details/service'
import { storeLanguage } from '../settings/service'
import type * as calls from './contract'
import { isName, isNameLocked, mayEdit, ownFields, writableFields } from './fields'
import { limitUniqueTries } from './unique-tries'
import { neededContacts, neededInfo, neededValues } from './unneeded'

type Body = ServiceInput<typeof calls.updateProfile>['body']
type MainInfo = ReturnType<typeof neededInfo>['needed']
type Account = NonNullable<Awaited<ReturnType<typeof lockAccount>>>
/** The own account with the codes of the fields that its directory keeps. */
type OwnAccountRow = Account & { kept: ReadonlySet<string> }
type Checked = { values: PersonalValues; faults: FieldError[] }

const parts = ['lastName', 'firstName', 'middleName'] as const
const fieldOf = (code: string) => `mainInfo.${code}`

/** Returns the row with the values that its owner may see, so that a conflict shows no more than the profile. */
function visibleRow(account: Account, fields: readonly Definition[]) {
  const entries = fields.map((field) =>
    isBase(field)
      ? [field.code, account[field.code as keyof Account]]
      : [historyName(field.code), storedUnder(account.values, field.code)],
  )
  return { ...Object.fromEntries(entries), updatedAt: account.updatedAt } as { updatedAt: Date }
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

/** Returns the full name as it was sent, or its parts: parts that weren't sent stay. */
function sentNames(account: Account, input: MainInfo) {
  if (parts.every((code) => input[code] === undefined)) return { fio: input.fio ?? '' }
  const part = (code: (typeof parts)[number]) => (input[code] === undefined ? account[code] : (input[code] ?? ''))
  return { lastName: part('lastName'), firstName: part('firstName'), middleName: part('middleName') }
}

/**
 * Returns the faults of required names that would be empty, each at the field that was sent for it, and each field
 * once.
 */
function emptyNames(
  sentCodes: readonly string[],
  visibleFields: readonly Definition[],
  names: PersonalValues,
): FieldError[] {
  const missing = visibleFields.filter(({ code, profile }) => profile.required && names[code as 'fio'] === '')
  const faultyCodes = new Set(missing.map(({ code }) => (sentCodes.includes(code) ? code : (sentCodes[0] ?? code))))
  return [...faultyCodes].map((code) => ({ field: fieldOf(code), code: 'errorEmpty' }))
}

/**
 * Returns the names after a change: either the full name or its parts are sent, and the other form is derived. A
 * directory keeps the names of its accounts.
 */
function namesOf(ctx: Ctx, account: OwnAccountRow, fields: readonly Definition[], input: MainInfo): Checked {
  const sentCodes = Object.keys(input).filter(isName)
  if (sentCodes.length === 0) return { values: {}, faults: [] }
  const names = namesAfter(sentNames(account, input), account, ctx.locale)
  const faultsAt = (codes: readonly string[], code: string): FieldError[] =>
    codes.map((name) => ({ field: fieldOf(name), code }))
  if (account.providerId !== null) {
    const unchanged = (['fio', ...parts] as const).every((code) => tidyName(account[code]) === names[code])
    return { values: {}, faults: unchanged ? [] : faultsAt(sentCodes, 'errorDirectoryName') }
  }
  const nameFields = fields.filter((field) => isBase(field) && isName(field.code))
  const locked = sentCodes.filter((code) => isNameLocked(code, nameFields, account))
  if (locked.length > 0) return { values: {}, faults: faultsAt(locked, 'errorReadOnly') }
  const invalid = sentCodes.flatMap((code): FieldError[] => {
    const rules = { ...nameRules, code, required: false }
    const checked = checkValue(rules, input[code as 'fio'], { now: ctx.now(), field: fieldOf(code) })
    return 'fault' in checked ? [checked.fault] : []
  })
  return { values: names, faults: [...invalid, ...emptyNames(sentCodes, nameFields, names)] }
}

/** Returns the other changed columns of the profile, each checked by its definition. */
function columnsOf(ctx: Ctx, account: OwnAccountRow, fields: readonly Definition[], input: MainInfo): Checked {
  const values: Record<string, unknown> = {}
  const faults: FieldError[] = []
  for (const [code, value] of Object.entries(input)) {
    if (isName(code) || value === undefined) continue
    const field = fields.find((definition) => isBase(definition) && definition.code === code)
    if (!field || !mayEdit(field, account)) {
      faults.push({ field: fieldOf(code), code: field ? 'errorReadOnly' : 'errorUnknownField' })
      continue
    }
    const required = field.profile.required || code === 'login'
    const rules = viewOf(field, { locale: ctx.locale, locales: ctx.domain.locales, required })
    const context = { now: ctx.now(), stored: account[code as 'locale'], email: account.email ?? undefined }
    const checked = checkValue(rules, value, { ...context, field: fieldOf(code) })
    if ('fault' in checked) faults.push(checked.fault)
    // the comment is a text, which may be empty but not null
    else values[code] = code === 'comment' ? (checked.value ?? '') : checked.value
  }
  return { values: values as PersonalValues, faults }
}

/** Returns empty values for required fields that the change makes relevant and leaves out, so that they are refused. */
const missingValues = (
  fields: readonly Definition[],
  account: OwnAccountRow,
  after: Readonly<Record<string, unknown>>,
) =>
  Object.fromEntries(
    begunActionFields(fields, account.values, after)
      .filter(
        (field) =>
          field.profile.required && field.profile.visible && mayEdit(field, account) && field.fieldType !== 'picture',
      )
      .map(({ code }) => [code, null]),
  )

/** Returns the columns and dynamic values with these codes, in the form of an audit event. */
const auditedValues = (row: PersonalValues, columns: string[], values: Account['values'], codes: string[]) => ({
  ...(Object.fromEntries(columns.map((code) => [code, row[code as 'fio'] || null])) as ReturnType<
    typeof recordedValues
  >),
  ...recordedValues(values, codes),
})

/** Returns faults for kinds of contacts that were sent although people may not change them. */
const contactFaults = (contacts: Body['contacts'], fields: readonly Definition[]): FieldError[] =>
  (['email', 'mobile'] as const).flatMap((kind) => {
    const code = contacts?.[listOf[kind]] ? contactRefusal(kind, fields) : null
    return code ? [{ field: `contacts.${listOf[kind]}`, code }] : []
  })

const refuse = (faults: FieldError[]) => {
  if (faults.length > 0) throw new AppError(400, undefined, { errorList: faults })
}

/** Stores unique values; throws 400 for those that another account has. */
async function requireUnique(
  tx: Transaction,
  userId: string,
  fields: readonly Definition[],
  values: Readonly<Record<string, unknown>>,
) {
  const takenCodes = await claimUnique(tx, { userId }, fields, values)
  refuse(takenCodes.map((code) => ({ field: `additionalInfo.${code}`, code: 'errorUnique' })))
}

/**
 * Changes fields of the own profile, all or none (docs/rules/profile.md#changing-the-own-account). Throws 401, 403
 * profileReadOnly, 400 by field, 409 if somebody has saved the account since `updatedAt`, and 429 for too many logins
 * and unique values.
 */
export async function changeProfile(ctx: Ctx, { body }: ServiceInput<typeof calls.updateProfile>) {
  requireUser(ctx)
  const userId = ctx.user.id
  const [allFields, fields, freshSession] = await Promise.all([
    profileFields(),
    ownFields(),
    body.contacts || body.contactsInfo ? isFreshSession(ctx) : false,
  ])
  const afterCommit = await db().transaction(async (tx) => {
    if (body.additionalInfo) await holdUniqueness(tx)
    const row = await lockAccount(tx, userId)
    const shownRow = row && visibleRow(row, fields)
    await requireVersion(tx, ctx, userEntity, { own: true, id: userId, row: shownRow, updatedAt: body.updatedAt })
    if (!row) throw new AppError(404)
    if (!row.enabled) throw new AppError(401)
    if (!row.isEditable) throw new AppError(403, 'profileReadOnly')
    const account = { ...row, kept: (await keptFields())(row.providerId) }
    const { needed: neededMain, faults: changedElsewhere } = neededInfo(body.mainInfo ?? {}, account, fields)
    const after = { ...row.values, ...body.additionalInfo }
    const writable = writableFields(ctx, fields, account, (field) => concerns(allFields, field, after))
    const neededFields = neededValues(body.additionalInfo ?? {}, row.values, writable)
    const sentContacts = body.contacts ?? body.contactsInfo
    const contacts = sentContacts && neededContacts(sentContacts, await visibleContactsOf(tx, row, fields), fields)
    const names = namesOf(ctx, account, fields, neededMain)
    const columns = columnsOf(ctx, account, fields, neededMain)
    const { changes, faults } = checkValues(
      writable,
      { ...missingValues(allFields, account, after), ...neededFields },
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
    const uniqueChanges = dynamic.some(
      ({ unique, code }) => unique && uniqueText(changes[code]) !== uniqueText(storedUnder(row.values, code)),
    )
    if (uniqueChanges || login !== row.login) await limitUniqueTries(ctx, userId)
    if (login !== row.login && (await isLoginTaken(tx, login, userId)))
      refuse([{ field: fieldOf('login'), code: 'errorUnique' }])
    await requireUnique(tx, userId, dynamic, changes)

    const newColumns = { ...names.values, ...columns.values }
    const values = withChanges(row.values, changes)
    const changed = await audit<(typeof userEntity)['fields'], ReturnType<typeof historyName>>(
      tx,
      ctx,
      userEntity,
      userId,
      auditedValues(row, Object.keys(newColumns), row.values, codes),
      auditedValues({ ...row, ...newColumns }, Object.keys(newColumns), values, codes),
      { subtype: blocksOf(dynamic) },
    )
    if (changed) await storePersonal(tx, userId, { ...newColumns, values })
    const contactsChanged = contacts ? await saveContacts(tx, ctx, row, contacts, { fresh: freshSession }) : false
    if (!changed && !contactsChanged) return undefined
    // a language chosen in a menu would otherwise override the one of the profile
    if (newColumns.locale) await storeLanguage(tx, userId, newColumns.locale)
    return invalidateSessions(tx, userId, ctx.now())
  })
  await afterCommit?.()
  return {}
}
