import type { Ctx } from '@/lib/kernel/ctx'
import { type Definition, isBase, viewOf } from '@/lib/people/fields/definition'
import type { Writable } from '@/lib/people/fields/values'
import { profileFields } from '@/lib/people/profile-fields/service'
import type { ProfileFieldView } from './contract'

/** The fields that change with a code, by calls of their own. */
const byCode = ['email', 'mobile']
const nameCodes = ['fio', 'lastName', 'firstName', 'middleName']
export const isName = (code: string) => nameCodes.includes(code)

type Account = { isEditable: boolean; providerId: string | null }

/** Returns the definitions that a person sees in their own profile, in the order of the form. */
export const ownFields = async (): Promise<Definition[]> =>
  (await profileFields()).filter(({ profile }) => profile.visible)

/** Whether a person may change a field of their own profile: a picture by its own calls, any other one with a PATCH. */
export const mayEdit = (field: Definition, { isEditable, providerId }: Account) =>
  isEditable &&
  field.profile.edit &&
  !(isBase(field) && (byCode.includes(field.code) || (providerId !== null && isName(field.code))))

/** Returns a field as the profile's form and card need it. */
export function profileFieldView(ctx: Ctx, field: Definition, account: Account): ProfileFieldView {
  const { locale, domain } = ctx
  const { required } = field.profile
  const { base, options } = viewOf(field, { locale, locales: domain.locales, required })
  const { code, title, titleEn, fieldType, multiple, unique, pattern, minLength, maxLength, latin } = field
  return {
    ...{ code, title, titleEn, base, fieldType, multiple, unique, visible: true, edit: mayEdit(field, account) },
    ...{ required, pattern, minLength, maxLength, latin, options },
  }
}

/** Returns where dynamic values may be written, for `checkValues`. */
export const writableFields = (ctx: Ctx, fields: readonly Definition[], account: Account): Writable[] =>
  fields
    .filter((field) => !isBase(field))
    .map((field) => {
      const { locale, domain } = ctx
      const rules = viewOf(field, { locale, locales: domain.locales, required: field.profile.required })
      const writable = mayEdit(field, account) && field.fieldType !== 'picture'
      return { code: field.code, rules, ...(writable ? {} : { refused: 'errorReadOnly' as const }) }
    })
