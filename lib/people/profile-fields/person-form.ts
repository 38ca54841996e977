import type { FieldError } from '@/lib/kernel/errors'
import { smsReady } from '@/lib/kernel/messages/transports'
import { type NameInput, tidyName } from '@/lib/people/users/names'
import { platformSettings } from '@/lib/platform/settings/service'
import { profileFields } from './service'

export type NameField = { code: 'fio' | 'lastName' | 'firstName' | 'middleName'; title: string; required: boolean }
/** Which fields of a person the public forms show: names in order, and the mobile if at all. */
export type PersonForm = { useUserFio: boolean; names: NameField[]; mobile: { required: boolean } | null }

const nameCodes: readonly string[] = ['fio', 'lastName', 'firstName', 'middleName']

/** The flags of users_main (profileVisible, profileRequired), titled in a language (decisions.md section 8). */
export async function personForm(locale: string): Promise<PersonForm> {
  const [{ useUserFio }, fields] = await Promise.all([platformSettings(), profileFields()])
  const visible = fields.filter((field) => field.visible || field.required)
  // a mobile that can't be proven isn't asked for: where it is required, the profile asks once it can be
  const mobile = smsReady() ? visible.find(({ code }) => code === 'mobile') : undefined
  return {
    useUserFio,
    names: visible
      .filter(({ code }) => nameCodes.includes(code))
      .map(({ code, title, titleEn, required }) => ({
        code: code as NameField['code'],
        title: (locale === 'ru' ? title : titleEn) || title,
        required,
      })),
    mobile: mobile ? { required: mobile.required } : null,
  }
}

/** Faults of the names by those flags: what is required and empty, and what isn't shown and yet filled in. */
export function nameFaults({ names }: PersonForm, input: NameInput): FieldError[] {
  return (['fio', 'lastName', 'firstName', 'middleName'] as const).flatMap((code): FieldError[] => {
    const field = names.find((name) => name.code === code)
    const filled = tidyName(input[code]) !== ''
    if (!field) return filled ? [{ field: code, code: 'errorUnknownField' }] : []
    return field.required && !filled ? [{ field: code, code: 'errorEmpty' }] : []
  })
}
