import { userEntity } from '@/lib/accounts/users/entity'
import { type Definition, historyName, isBase } from '@/lib/fields/values/definition'

/** The changes of an object that its reader sees: field names, and patterns of LIKE for field families. */
export type VisibleFields = { names: string[]; patterns: string[] }

const nameCodes = ['fio', 'lastName', 'firstName', 'middleName']
const columns = [...nameCodes, 'birthDate', 'gender', 'locale', 'login', 'comment'] as const
/** The recorded fields of contacts, by the field of the profile that shows them. */
const contacts = {
  email: { names: ['email', 'otherEmails'], patterns: ['contactAgreement:%@%'] },
  mobile: { names: ['mobile', 'otherMobiles'], patterns: ['contactAgreement:+%', 'contactMessengers:%'] },
}
const conditionalNames = new Set<string>([...columns, ...Object.values(contacts).flatMap(({ names }) => names)])
const families = ['field:*', 'contactAgreement:*', 'contactMessengers:*']

/**
 * Returns the changes of their own account that people see, from the fields that their profile shows: fields that an
 * administrator hid there are hidden here too (docs/rules/profile.md#own-history). An undeclared field isn't visible.
 */
export function fieldsVisibleToOwner(fields: readonly Definition[]): VisibleFields {
  const isVisible = (code: string) => fields.some((field) => isBase(field) && field.code === code)
  // the forms of a name are derived from each other
  const nameVisible = nameCodes.some(isVisible)
  const alwaysVisible = Object.keys(userEntity.fields).filter(
    (key) => !conditionalNames.has(key) && !families.includes(key),
  )
  const kinds = (['email', 'mobile'] as const).filter(isVisible).map((kind) => contacts[kind])
  return {
    names: [
      ...alwaysVisible.filter((key) => !key.endsWith('*')),
      ...columns.filter((code) => (nameCodes.includes(code) ? nameVisible : isVisible(code))),
      ...kinds.flatMap(({ names }) => names),
      ...fields.filter((field) => !isBase(field)).map(({ code }) => historyName(code)),
    ],
    patterns: [
      ...alwaysVisible.filter((key) => key.endsWith('*')).map((key) => `${key.slice(0, -1)}%`),
      ...kinds.flatMap(({ patterns }) => patterns),
    ],
  }
}
