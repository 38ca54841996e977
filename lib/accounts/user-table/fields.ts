import { isDeepStrictEqual } from 'node:util'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'
import { emailOf } from '@/lib/base/text/email'
import { namesAfter, tidyName } from '@/lib/fields/names'
import { profileFields } from '@/lib/fields/profile-fields/service'
import { begunActionFields, concerns } from '@/lib/fields/values/actions'
import { type Definition, type FieldView, isBase, storedUnder, viewOf } from '@/lib/fields/values/definition'
import { checkValue } from '@/lib/fields/values/schema'
import { peopleFields } from '@/lib/fields/values/service'
import type { Changes, Values } from '@/lib/fields/values/values'
import { keptFields } from '@/lib/identity-providers/connections/kept-fields'
import type { AdministeredValues } from '../users/administered'

const prefix = 'values.'
const nameCodes = ['lastName', 'firstName', 'middleName'] as const
const isName = (code: string) => code === 'fio' || nameCodes.some((name) => name === code)

/** The columns of an account that its fields are read from. */
type Account = Record<'fio' | 'lastName' | 'firstName' | 'middleName' | 'login' | 'comment', string> &
  Record<'birthDate' | 'gender' | 'email' | 'mobile' | 'locale' | 'providerId', string | null> & { values: Values }

/** Returns the fields of people that the administration shows, in the order of the form. */
const adminFields = async (): Promise<Definition[]> =>
  (await profileFields()).filter(({ admin }) => admin.visible || admin.required)

const adminView = (ctx: Ctx, field: Definition, applies: boolean): FieldView => {
  const { locale, domain } = ctx
  // nobody signs in without a login
  const required = (field.admin.required && applies) || (isBase(field) && field.code === 'login')
  return viewOf(field, { locale, locales: domain.locales, required, withComment: true })
}

const mayEdit = (field: Definition, directoryCodes: ReadonlySet<string>) =>
  (field.admin.edit || field.admin.required) && !directoryCodes.has(field.code)

/** The codes of the fields that a directory keeps of an account of the platform: none. */
const noCodes: ReadonlySet<string> = new Set()

/**
 * A block of fields. `edit`: an administrator may change the field of this account. `directory`: its directory keeps
 * the field.
 */
export type UserBlock = { id: string; title: string; fields: (FieldView & { edit: boolean; directory: boolean })[] }

/**
 * Returns the fields of an account by blocks, for its card and its forms. `providerId` is the directory that keeps the
 * account, null for the platform; `values` are its dynamic values. Needs users.read.
 */
export async function userBlocks(ctx: Ctx, providerId: string | null, values: Values = {}): Promise<UserBlock[]> {
  requireMethod(ctx, 'users.read')
  const directoryCodes = (await keptFields())(providerId)
  const blocks = new Map<string, UserBlock>()
  const fields = await adminFields()
  for (const field of fields) {
    const { code: id } = field.subtype
    const block = blocks.get(id) ?? { id, title: localName(field.subtype, ctx.locale), fields: [] }
    const view = adminView(ctx, field, concerns(fields, field, values))
    block.fields.push({ ...view, edit: mayEdit(field, directoryCodes), directory: directoryCodes.has(field.code) })
    blocks.set(id, block)
  }
  return [...blocks.values()]
}

/**
 * Returns the fields that administrators may fill in on accounts of the platform, with both forms of the name and
 * without pictures.
 */
export async function writtenFields(ctx: Ctx): Promise<FieldView[]> {
  const [visibleFields, allFields] = await Promise.all([adminFields(), peopleFields()])
  return withNames(visibleFields, allFields)
    .filter((field) => mayEdit(field, noCodes) && field.fieldType !== 'picture')
    .map((field) => adminView(ctx, field, field.type !== 'personnel-actions'))
}

/** Returns the values of an account in the fields that the administration shows, by code. */
export async function shownValues(account: Account): Promise<Record<string, unknown>> {
  const storedValue = (field: Definition) =>
    isBase(field) ? account[field.code as 'login'] : storedUnder(account.values, field.code)
  return Object.fromEntries((await adminFields()).map((field) => [field.code, storedValue(field) ?? null]))
}

/** Columns and dynamic values of an account after a change, with the definitions of the latter. */
export type UserChange = { columns: AdministeredValues; dynamic: Changes; fields: Definition[] }

/** Returns the names after a change of some of them, in both forms. */
function namesOf(ctx: Ctx, sent: Record<string, unknown>, account: Account | null): AdministeredValues {
  const text = (code: string) => (typeof sent[code] === 'string' ? sent[code] : '')
  if (Object.hasOwn(sent, 'fio')) return namesAfter({ fio: text('fio') }, account, ctx.locale)
  if (!nameCodes.some((code) => Object.hasOwn(sent, code))) return {}
  const part = (code: (typeof nameCodes)[number]) => (Object.hasOwn(sent, code) ? text(code) : (account?.[code] ?? ''))
  return namesAfter(
    { lastName: part('lastName'), firstName: part('firstName'), middleName: part('middleName') },
    account,
    ctx.locale,
  )
}

/**
 * Returns the fields with both forms of the name, whichever form the screens show: a call takes either, and both are
 * stored.
 */
function withNames(visibleFields: readonly Definition[], allFields: readonly Definition[]): Definition[] {
  const names = visibleFields.filter((field) => isBase(field) && isName(field.code))
  const edit = names.some((field) => field.admin.edit || field.admin.required)
  const admin = { visible: true, edit, required: false }
  const otherNames = allFields.filter((field) => isBase(field) && isName(field.code) && !names.includes(field))
  return [...visibleFields, ...(names.length > 0 ? otherNames.map((field) => ({ ...field, admin })) : [])]
}

/** Returns whether a value is what the account has: a field that a directory keeps may be sent unchanged. */
function isUnchanged(field: Definition, account: Account | null, value: unknown): boolean {
  if (!isBase(field)) return isDeepStrictEqual(value ?? null, storedUnder(account?.values ?? {}, field.code) ?? null)
  const stored = account?.[field.code as 'login'] ?? ''
  const text = isName(field.code) ? tidyName(String(value ?? '')) : String(value ?? '').trim()
  return text === stored || (!isName(field.code) && text.toLowerCase() === stored.toLowerCase())
}

/**
 * Returns a function that checks values of an account's fields by their definitions and the flags of the
 * administration; a new account (null) needs the required ones. The function throws 400 by field: for an unknown or a
 * read-only field, one that a directory keeps, and a value that its definition refuses. The definitions are read once
 * for all checks.
 */
export async function changeChecker(ctx: Ctx): Promise<(input: Values, account: Account | null) => UserChange> {
  const [visibleFields, allFields, directoryCodesOf] = await Promise.all([adminFields(), peopleFields(), keptFields()])
  const writable = withNames(visibleFields, allFields)
  const fields = new Map(
    writable.map((field) => {
      const view = adminView(ctx, field, true)
      return [field.code, { field, view, optional: { ...view, required: false } }]
    }),
  )
  const requiredFields = [...fields.values()].filter(
    ({ field, view }) => view.required && mayEdit(field, noCodes) && field.fieldType !== 'picture',
  )
  return (input, account) => {
    const directoryCodes = directoryCodesOf(account?.providerId ?? null)
    const before = account?.values ?? {}
    const after = { ...before, ...input }
    const begunActions = begunActionFields(writable, before, after)
    // a name is given in either form
    const hasName = ['fio', ...nameCodes].some((code) => typeof input[code] === 'string')
    // the e-mail is the login of an account that is created without one
    const neededFields = requiredFields.filter(({ field }) => {
      if (field.type === 'personnel-actions') return begunActions.includes(field)
      return !account && !(isBase(field) && (field.code === 'login' || (hasName && isName(field.code))))
    })
    const completeInput = { ...Object.fromEntries(neededFields.map(({ field }) => [field.code, null])), ...input }
    const columns: Record<string, unknown> = {}
    const dynamic: Changes = {}
    const faults: FieldError[] = []
    for (const [code, value] of Object.entries(completeInput)) {
      const { field, view, optional } = fields.get(code) ?? {}
      const fieldName = `${prefix}${code}`
      if (!field || !view || !optional) faults.push({ field: fieldName, code: 'errorUnknownField' })
      else if (directoryCodes.has(field.code)) {
        if (!isUnchanged(field, account, value)) faults.push({ field: fieldName, code: 'errorDirectoryField' })
      } else if (!mayEdit(field, directoryCodes) || field.fieldType === 'picture')
        faults.push({ field: fieldName, code: 'errorReadOnly' })
      else {
        const storedValue = account && (isBase(field) ? account[code as 'login'] : storedUnder(account.values, code))
        const email =
          typeof completeInput.email === 'string' ? emailOf(completeInput.email) : (account?.email ?? undefined)
        const checkContext = { now: ctx.now(), stored: storedValue, ...(email ? { email } : {}), field: fieldName }
        // the same definitions for each account: their schemas are made once
        const rules = view.required && concerns(writable, field, after) ? view : optional
        const result = checkValue(rules, value, checkContext)
        if ('fault' in result) faults.push(result.fault)
        else if (isBase(field)) columns[code] = result.value
        else dynamic[code] = result.value
      }
    }
    if (faults.length > 0) throw new AppError(400, undefined, { errorList: faults })
    const names = namesOf(ctx, columns, account)
    for (const code of ['fio', ...nameCodes]) delete columns[code]
    if (typeof columns.email === 'string') columns.email = columns.email.toLowerCase()
    if (Object.hasOwn(columns, 'comment')) columns.comment ??= ''
    return {
      columns: { ...(columns as AdministeredValues), ...names },
      dynamic,
      fields: [...fields.values()].flatMap(({ field }) =>
        !isBase(field) && Object.hasOwn(dynamic, field.code) ? [field] : [],
      ),
    }
  }
}

/** Checks the values of one account, as `changeChecker` does. */
export const userChanges = async (ctx: Ctx, input: Values, account: Account | null): Promise<UserChange> =>
  (await changeChecker(ctx))(input, account)

/**
 * The codes of required fields. A field of personnel actions has the codes of its block: it is required of people who
 * have a value in the block.
 */
export type RequiredCodes = { columns: string[]; dynamic: string[]; actions: { code: string; block: string[] }[] }

/** Returns the codes of the fields that the administration or the profile requires. */
export async function requiredCodes(): Promise<RequiredCodes> {
  const fields = await profileFields()
  const required = fields.filter(
    ({ admin, profile, fieldType }) =>
      (admin.required || profile.required) && fieldType !== 'picture' && fieldType !== 'toggle',
  )
  return {
    columns: required.filter(isBase).map(({ code }) => code),
    dynamic: required.filter((field) => !isBase(field) && field.type === 'users').map(({ code }) => code),
    actions: required
      .filter(({ type }) => type === 'personnel-actions')
      .map(({ code, subtype }) => ({
        code,
        block: fields
          .filter((field) => field.type === 'personnel-actions' && field.subtype.code === subtype.code)
          .map((field) => field.code),
      })),
  }
}

const alwaysAsked = ['fio', ...nameCodes, 'email', 'mobile', 'login']

/** Returns the fields that the form of a new account asks for: names, contacts and login, and required ones. */
export async function newUserFields(ctx: Ctx): Promise<UserBlock['fields']> {
  const fields = (await userBlocks(ctx, null)).flatMap((block) => block.fields)
  return (
    fields
      .filter(({ edit, fieldType }) => edit && fieldType !== 'picture')
      .filter(({ base, code, required }) => required || (base && alwaysAsked.includes(code)))
      // an account without a login gets the e-mail as one
      .map((field) => (field.base && field.code === 'login' ? { ...field, required: false } : field))
  )
}
