import { userEntity } from '@/lib/accounts/users/entity'
import { type Definition, historyName, isBase } from '@/lib/fields/values/definition'

/** Which changes of an object its reader sees: fields by name, and families of fields as patterns of LIKE. */
export type Seen = { names: string[]; patterns: string[] }

const nameCodes = ['fio', 'lastName', 'firstName', 'middleName']
const columns = [...nameCodes, 'birthDate', 'gender', 'locale', 'login', 'comment'] as const
/** What is recorded of contacts, by the field of the profile that shows them. */
const contacts = {
  email: { names: ['email', 'otherEmails'], patterns: ['contactAgreement:%@%'] },
  mobile: { names: ['mobile', 'otherMobiles'], patterns: ['contactAgreement:+%', 'contactMessengers:%'] },
}
const byFlags = new Set<string>([...columns, ...Object.values(contacts).flatMap(({ names }) => names)])
const families = ['field:*', 'contactAgreement:*', 'contactMessengers:*']

/**
 * Returns which changes of their own account people see, from the fields that their profile shows: what an administrator
 * hid there doesn't come to light here (docs/rules/profile.md#own-history). A field that nothing declares isn't seen.
 */
export function seenByOwner(fields: readonly Definition[]): Seen {
  const shown = (code: string) => fields.some((field) => isBase(field) && field.code === code)
  // the forms of a name are made of each other
  const name = nameCodes.some(shown)
  const always = Object.keys(userEntity.fields).filter((key) => !byFlags.has(key) && !families.includes(key))
  const kinds = (['email', 'mobile'] as const).filter(shown).map((kind) => contacts[kind])
  return {
    names: [
      ...always.filter((key) => !key.endsWith('*')),
      ...columns.filter((code) => (nameCodes.includes(code) ? name : shown(code))),
      ...kinds.flatMap(({ names }) => names),
      ...fields.filter((field) => !isBase(field)).map(({ code }) => historyName(code)),
    ],
    patterns: [
      ...always.filter((key) => key.endsWith('*')).map((key) => `${key.slice(0, -1)}%`),
      ...kinds.flatMap(({ patterns }) => patterns),
    ],
  }
}
