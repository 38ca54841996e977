import type { CtxDomain } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { smsReady } from '@/lib/base/mail-and-sms/transports'
import type { FieldError } from '@/lib/base/runtime/errors'
import { platformSettings } from '@/lib/site/settings/service'
import { type NameInput, namesFrom, tidyName } from '../names'
import { type Definition, type FieldView, isBase, viewOf } from '../values/definition'
import { isFurther } from './further-fields'
import { mainProfileFields } from './service'

export type NameField = { code: 'fio' | 'lastName' | 'firstName' | 'middleName'; title: string; required: boolean }
/** Which fields of a person the public forms show. */
export type PersonForm = {
  useUserFio: boolean
  /** In the order of the profile. */
  names: NameField[]
  /** Null if the forms don't ask for it. */
  mobile: { required: boolean } | null
  /**
   * What else an administrator requires: fields of the profile, and dynamic ones, whose values calls take as
   * `additionalInfo`. The inputs are made of these, and so is what calls get of them (`lib/joining/forms/person.ts`).
   */
  further: FieldView[]
}

const nameCodes = ['fio', 'lastName', 'firstName', 'middleName'] as const
const isName = (code: string): code is NameField['code'] => (nameCodes as readonly string[]).includes(code)

type FormCtx = { locale: string; domain: Pick<CtxDomain, 'locales'> }

/** Returns whether a public form asks for a field besides names, e-mail and mobile. It never asks for a picture. */
const isFurtherField = (field: Definition) =>
  field.profile.required && field.fieldType !== 'picture' && (!isBase(field) || isFurther(field.code))

/**
 * Returns the fields of the public forms, titled in the context's language: the visible names and the mobile of
 * users_main, and each further field of it that is visible and required, as soon as an administrator makes it so
 * (docs/rules/people.md#profile-fields).
 */
export async function personForm(ctx: FormCtx): Promise<PersonForm> {
  const [{ useUserFio }, fields] = await Promise.all([platformSettings(), mainProfileFields()])
  const visible = fields.filter(({ profile }) => profile.visible)
  const baseFields = visible.filter(isBase)
  const { locale } = ctx
  // without SMS a mobile can't be proven, so the forms don't ask for it; the profile asks for it once SMS can be sent
  const mobile = smsReady() ? baseFields.find(({ code }) => code === 'mobile') : undefined
  return {
    useUserFio,
    names: baseFields.flatMap((field) =>
      isName(field.code)
        ? [{ code: field.code, title: localName(field, locale), required: field.profile.required }]
        : [],
    ),
    mobile: mobile ? { required: mobile.profile.required } : null,
    further: visible
      .filter(isFurtherField)
      .map((field) => viewOf(field, { locale, locales: ctx.domain.locales, required: true })),
  }
}

/**
 * Returns the faults of the names, given as a whole or in parts: a required name that is still empty after the other
 * form was made of the given one, and a part that has a value although the form doesn't show it.
 */
export function nameFaults({ useUserFio, names }: PersonForm, input: NameInput, locale: string): FieldError[] {
  const allNames = namesFrom(input, locale)
  return nameCodes.flatMap((code): FieldError[] => {
    const field = names.find((name) => name.code === code)
    if (field) return field.required && !allNames[code] ? [{ field: code, code: 'errorEmpty' }] : []
    const isHiddenPart = !useUserFio && code !== 'fio' && tidyName(input[code]) !== ''
    return isHiddenPart ? [{ field: code, code: 'errorUnknownField' }] : []
  })
}
