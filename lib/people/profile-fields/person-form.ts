import type { CtxDomain } from '@/lib/kernel/ctx'
import type { FieldError } from '@/lib/kernel/errors'
import { localName } from '@/lib/kernel/i18n/local-name'
import { smsReady } from '@/lib/kernel/messages/transports'
import { type NameInput, namesFrom, tidyName } from '@/lib/people/users/names'
import { platformSettings } from '@/lib/platform/settings/service'
import { type FurtherCode, type FurtherField, furtherCodes } from './further-fields'
import { type ProfileField, profileFields } from './service'

export type NameField = { code: 'fio' | 'lastName' | 'firstName' | 'middleName'; title: string; required: boolean }
/** Which fields of a person the public forms show: names in order, perhaps the mobile, and further required ones. */
export type PersonForm = {
  useUserFio: boolean
  names: NameField[]
  mobile: { required: boolean } | null
  further: FurtherField[]
}

const nameCodes = ['fio', 'lastName', 'firstName', 'middleName'] as const
const isName = (code: string): code is NameField['code'] => (nameCodes as readonly string[]).includes(code)
const isFurther = (code: string): code is FurtherCode => (furtherCodes as readonly string[]).includes(code)

type FormCtx = { locale: string; domain: Pick<CtxDomain, 'locales'> }

function optionsOf({ code, items }: ProfileField, { locale, domain }: FormCtx): Pick<FurtherField, 'options'> {
  if (code === 'gender')
    return {
      options: items
        .toSorted((a, b) => a.order - b.order)
        .map((item) => ({
          code: item.code,
          title: localName({ title: item.value, titleEn: item.valueEn, code: item.code }, locale),
        })),
    }
  if (code !== 'locale') return {}
  // each language has its name in that language
  const names = (language: string) => new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return { options: domain.locales.map((language) => ({ code: language, title: names(language) })) }
}

/**
 * Returns the fields of the public forms: the visible and required ones of users_main, titled in the context's language
 * (docs/rules/people.md#profile-fields).
 */
export async function personForm(ctx: FormCtx): Promise<PersonForm> {
  const [{ useUserFio }, fields] = await Promise.all([platformSettings(), profileFields()])
  const visible = fields.filter((field) => field.visible || field.required)
  // without SMS a mobile can't be proven, so the forms don't ask for it; the profile does, once SMS are possible
  const mobile = smsReady() ? visible.find(({ code }) => code === 'mobile') : undefined
  const titleOf = (field: ProfileField) => localName(field, ctx.locale)
  return {
    useUserFio,
    names: visible.flatMap((field) =>
      isName(field.code) ? [{ code: field.code, title: titleOf(field), required: field.required }] : [],
    ),
    mobile: mobile ? { required: mobile.required } : null,
    further: visible.flatMap((field) =>
      isFurther(field.code) && field.required
        ? [{ code: field.code, title: titleOf(field), ...optionsOf(field, ctx) }]
        : [],
    ),
  }
}

/**
 * Returns the faults of the names, given as one field or as three: a required name that is empty also after the other
 * form was made of the given one, and a part that is filled in although the form doesn't show it.
 */
export function nameFaults({ useUserFio, names }: PersonForm, input: NameInput, locale: string): FieldError[] {
  const made = namesFrom(input, locale)
  return nameCodes.flatMap((code): FieldError[] => {
    const field = names.find((name) => name.code === code)
    if (field) return field.required && !made[code] ? [{ field: code, code: 'errorEmpty' }] : []
    const stray = !useUserFio && code !== 'fio' && tidyName(input[code]) !== ''
    return stray ? [{ field: code, code: 'errorUnknownField' }] : []
  })
}
