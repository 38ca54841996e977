import type { Ctx } from '@/lib/base/context/ctx'
import { profileFields } from '@/lib/fields/profile-fields/service'
import { type Definition, isBase, viewOf } from '@/lib/fields/values/definition'
import type { Writable } from '@/lib/fields/values/values'
import type { ProfileFieldView } from './contract'

/** The fields that change with a code, by their own endpoints. */
const byCode = ['email', 'mobile']
const nameCodes = ['fio', 'lastName', 'firstName', 'middleName']
export const isName = (code: string) => nameCodes.includes(code)

/** The account of a profile, with the codes of the fields that its directory keeps. */
export type NamedAccount = { isEditable: boolean; kept: ReadonlySet<string> }
type Account = NamedAccount

/** Returns the definitions that a person sees in their own profile, in the order of the form. */
export const ownFields = async (): Promise<Definition[]> =>
  (await profileFields()).filter(({ profile }) => profile.visible)

/**
 * Whether a person may change a field of their own profile: a picture with its own endpoints, any other one with a
 * PATCH.
 */
export const mayEdit = (field: Definition, { isEditable, kept }: Account) =>
  isEditable && field.profile.edit && !kept.has(field.code) && !(isBase(field) && byCode.includes(field.code))

/** Returns a field for the profile's form and card; `concerned`: whether it applies to this account. */
export function profileFieldView(ctx: Ctx, field: Definition, account: Account, concerned: boolean): ProfileFieldView {
  const { locale, domain } = ctx
  const required = field.profile.required && concerned
  const { base, options } = viewOf(field, { locale, locales: domain.locales, required })
  const { code, title, titleEn, fieldType, multiple, unique, pattern, minLength, maxLength, latin } = field
  return {
    ...{ code, title, titleEn, base, fieldType, multiple, unique, visible: true, edit: mayEdit(field, account) },
    ...{ required, pattern, minLength, maxLength, latin, options },
  }
}

/**
 * Returns the dynamic fields and whether they may be written, for `checkValues`; `concerned`: whether a field applies
 * to this account.
 */
export const writableFields = (
  ctx: Ctx,
  fields: readonly Definition[],
  account: Account,
  concerned: (field: Definition) => boolean,
): Writable[] =>
  fields
    .filter((field) => !isBase(field))
    .map((field) => {
      const { locale, domain } = ctx
      const required = field.profile.required && concerned(field)
      const rules = viewOf(field, { locale, locales: domain.locales, required })
      const writable = mayEdit(field, account) && field.fieldType !== 'picture'
      return { code: field.code, rules, ...(writable ? {} : { refused: 'errorReadOnly' as const }) }
    })

/** Whether people may not change a name: by its own flags, or by those of the visible form of the name. */
export function isNameLocked(code: string, visibleFields: readonly Definition[], account: NamedAccount): boolean {
  const ownFlags = visibleFields.filter((field) => field.code === code)
  const decisive = ownFlags.length > 0 ? ownFlags : visibleFields
  return decisive.length === 0 || decisive.some((field) => !mayEdit(field, account))
}
