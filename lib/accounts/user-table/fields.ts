import { isDeepStrictEqual } from 'node:util'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { AppError, type FieldError } from '@/lib/base/runtime/errors'
import { emailOf } from '@/lib/base/text/email'
import { namesAfter, tidyName } from '@/lib/fields/names'
import { profileFields } from '@/lib/fields/profile-fields/service'
import { begun, concerns } from '@/lib/fields/values/actions'
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

const adminView = (ctx: Ctx, field: Definition, concerned: boolean): FieldView => {
  const { locale, domain } = ctx
  // nobody signs in without a login
  const required = (field.admin.required && concerned) || (isBase(field) && field.code === 'login')
  return viewOf(field, { locale, locales: domain.locales, required, withComment: true })
}

const mayEdit = (field: Definition, kept: ReadonlySet<string>) =>
  (field.admin.edit || field.admin.required) && !kept.has(field.code)

/** What the provider of an account that is made here keeps. */
const nothing: ReadonlySet<string> = new Set()

/** A block of fields, with whether an administrator may change each of this account. */
export type UserBlock = { id: string; title: string; fields: (FieldView & { edit: boolean; directory: boolean })[] }

/**
 * Returns the fields of an account with these values by blocks, for its card and its forms: of one that this provider
 * keeps, or the platform itself (null). Needs users.read.
 */
export async function userBlocks(ctx: Ctx, providerId: string | null, values: Values = {}): Promise<UserBlock[]> {
  requireMethod(ctx, 'users.read')
  const kept = (await keptFields())(providerId)
  const blocks = new Map<string, UserBlock>()
  const fields = await adminFields()
  for (const field of fields) {
    const { code: id } = field.subtype
    const block = blocks.get(id) ?? { id, title: localName(field.subtype, ctx.locale), fields: [] }
    const view = adminView(ctx, field, concerns(fields, field, values))
    block.fields.push({ ...view, edit: mayEdit(field, kept), directory: kept.has(field.code) })
    blocks.set(id, block)
  }
  return [...blocks.values()]
}

/**
 * Returns the fields of accounts that the platform itself keeps and administrators fill in, names in either form; pictures
 * come one by one.
 */
export async function writtenFields(ctx: Ctx): Promise<FieldView[]> {
  const [shown, all] = await Promise.all([adminFields(), peopleFields()])
  return withNames(shown, all)
    .filter((field) => mayEdit(field, nothing) && field.fieldType !== 'picture')
    .map((field) => adminView(ctx, field, field.type !== 'personnel-actions'))
}

/** Returns what an account has in the fields that the administration shows, by code. */
export async function shownValues(account: Account): Promise<Record<string, unknown>> {
  const stored = (field: Definition) =>
    isBase(field) ? account[field.code as 'login'] : storedUnder(account.values, field.code)
  return Object.fromEntries((await adminFields()).map((field) => [field.code, stored(field) ?? null]))
}

/** Columns and dynamic values of an account after a change, with the definitions of the latter. */
export type UserChange = { columns: AdministeredValues; dynamic: Changes; fields: Definition[] }

/** The names after a change of some of them; both forms are kept. */
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

/** The fields with both forms of the name, whichever the forms show: a call takes either, and both are kept. */
function withNames(shown: readonly Definition[], all: readonly Definition[]): Definition[] {
  const names = shown.filter((field) => isBase(field) && isName(field.code))
  const edit = names.some((field) => field.admin.edit || field.admin.required)
  const admin = { visible: true, edit, required: false }
  const more = all.filter((field) => isBase(field) && isName(field.code) && !names.includes(field))
  return [...shown, ...(names.length > 0 ? more.map((field) => ({ ...field, admin })) : [])]
}

/** Whether a value is what the account has: a directory's field may be sent as it is. */
function isKept(field: Definition, account: Account | null, value: unknown): boolean {
  if (!isBase(field)) return isDeepStrictEqual(value ?? null, storedUnder(account?.values ?? {}, field.code) ?? null)
  const stored = account?.[field.code as 'login'] ?? ''
  const text = isName(field.code) ? tidyName(String(value ?? '')) : String(value ?? '').trim()
  return text === stored || (!isName(field.code) && text.toLowerCase() === stored.toLowerCase())
}

/**
 * Returns a check of values of an account's fields by their definitions and the flags of the administration; a new account
 * (null) needs the required ones. The check throws 400 by field: unknown, read-only, a directory's, or a value that its
 * field refuses. What many checks need is read and made once.
 */
export async function changeChecker(ctx: Ctx): Promise<(input: Values, account: Account | null) => UserChange> {
  const [shown, all, keptOf] = await Promise.all([adminFields(), peopleFields(), keptFields()])
  const written = withNames(shown, all)
  const fields = new Map(written.map((field) => [field.code, { field, view: adminView(ctx, field, true) }]))
  const asked = [...fields.values()].filter(
    ({ field, view }) => view.required && mayEdit(field, nothing) && field.fieldType !== 'picture',
  )
  return (input, account) => {
    const kept = keptOf(account?.providerId ?? null)
    const before = account?.values ?? {}
    const after = { ...before, ...input }
    const newly = begun(written, before, after)
    // a name is given in either form
    const named = ['fio', ...nameCodes].some((code) => typeof input[code] === 'string')
    // the e-mail is the login of an account that is created without one
    const needed = asked.filter(({ field }) => {
      if (field.type === 'personnel-actions') return newly.includes(field)
      return !account && !(isBase(field) && (field.code === 'login' || (named && isName(field.code))))
    })
    const given = { ...Object.fromEntries(needed.map(({ field }) => [field.code, null])), ...input }
    const columns: Record<string, unknown> = {}
    const dynamic: Changes = {}
    const faults: FieldError[] = []
    for (const [code, value] of Object.entries(given)) {
      const { field, view } = fields.get(code) ?? {}
      const name = `${prefix}${code}`
      if (!field || !view) faults.push({ field: name, code: 'errorUnknownField' })
      else if (kept.has(field.code)) {
        if (!isKept(field, account, value)) faults.push({ field: name, code: 'errorDirectoryField' })
      } else if (!mayEdit(field, kept) || field.fieldType === 'picture')
        faults.push({ field: name, code: 'errorReadOnly' })
      else {
        const stored = account && (isBase(field) ? account[code as 'login'] : storedUnder(account.values, code))
        const email = typeof given.email === 'string' ? emailOf(given.email) : (account?.email ?? undefined)
        const about = { now: ctx.now(), stored, ...(email ? { email } : {}), field: name }
        const required = view.required && concerns(written, field, after)
        const checked = checkValue({ ...view, required }, value, about)
        if ('fault' in checked) faults.push(checked.fault)
        else if (isBase(field)) columns[code] = checked.value
        else dynamic[code] = checked.value
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

/** Of personnel actions each with the codes of its block: it is required of those who have a value there. */
export type RequiredCodes = { columns: string[]; dynamic: string[]; actions: { code: string; block: string[] }[] }

/** Returns the codes of the required fields of the administration and the profile, as columns and as dynamic ones. */
export async function requiredCodes(): Promise<RequiredCodes> {
  const all = await profileFields()
  const required = all.filter(
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
        block: all
          .filter((field) => field.type === 'personnel-actions' && field.subtype.code === subtype.code)
          .map((field) => field.code),
      })),
  }
}

const firstAsked = ['fio', ...nameCodes, 'email', 'mobile', 'login']

/** Returns the fields that the form of a new account asks for: how its person is called and reached, and required ones. */
export async function newUserFields(ctx: Ctx): Promise<UserBlock['fields']> {
  const fields = (await userBlocks(ctx, null)).flatMap((block) => block.fields)
  return (
    fields
      .filter(({ edit, fieldType }) => edit && fieldType !== 'picture')
      .filter(({ base, code, required }) => required || (base && firstAsked.includes(code)))
      // without a login the e-mail is one
      .map((field) => (field.base && field.code === 'login' ? { ...field, required: false } : field))
  )
}
