import { isDeepStrictEqual } from 'node:util'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { FieldError } from '@/lib/base/runtime/errors'
import { tidyName } from '@/lib/fields/names'
import { type Definition, isBase, isFilled, storedUnder } from '@/lib/fields/values/definition'
import type { Writable } from '@/lib/fields/values/values'
import { contactRefusal } from '../contact-details/allowed'
import { type ContactKind, contactKinds } from '../contact-details/contract'
import { listOf, stored } from '../contact-details/list'
import type * as calls from './contract'
import { isName, isNameLocked, mayEdit, type NamedAccount } from './fields'

type Body = ServiceInput<typeof calls.updateProfile>['body']
type MainInfo = NonNullable<Body['mainInfo']>
type Account = NamedAccount & Record<string, unknown>

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** Members of `details` that aren't fields of the account; a PATCH can't change them. */
const readOnlyMembers = ['avatar', 'groups', 'isEditable', 'kept', 'directory'] as const
/** The main contacts, which change by a code. */
const codeFields = ['email', 'mobile'] as const

/**
 * Returns the part of `mainInfo` that a change needs. Values that people may not change are left out if they are empty
 * or unchanged, and so are unchanged names: of a full name and its parts that are sent at once, the different form
 * counts.
 */
export function neededInfo(input: MainInfo, account: Account, fields: readonly Definition[]) {
  const names = fields.filter((field) => isBase(field) && isName(field.code))
  const needed: Record<string, unknown> = {}
  const faults: FieldError[] = []
  for (const [code, value] of Object.entries(input)) {
    if (value === undefined || (readOnlyMembers as readonly string[]).includes(code)) continue
    const storedValue = account[code]
    if ((codeFields as readonly string[]).includes(code)) {
      const [kind, text] = [code as ContactKind, String(value)]
      if (isEmpty(value) || stored(kind, text) === stored(kind, String(storedValue ?? ''))) continue
      faults.push({ field: `mainInfo.${code}`, code: 'errorReadOnly' })
      continue
    }
    const field = fields.find((definition) => isBase(definition) && definition.code === code)
    if (isName(code)) {
      const name = tidyName(String(value ?? ''))
      const isRequiredEmpty = field?.profile.required && name === ''
      if (name === '' && isNameLocked(code, names, account)) continue
      if (name === tidyName(String(storedValue ?? '')) && !isRequiredEmpty) continue
    } else if (!field || !mayEdit(field, account)) {
      if (isEmpty(value) || (field && value === storedValue)) continue
    }
    needed[code] = value
  }
  return { needed: needed as Omit<MainInfo, (typeof readOnlyMembers)[number] | (typeof codeFields)[number]>, faults }
}

/** Returns the needed part of the additional fields, by their codes. */
export const neededValues = (
  input: NonNullable<Body['additionalInfo']>,
  values: Readonly<Record<string, unknown>>,
  fields: readonly Writable[],
): typeof input =>
  Object.fromEntries(
    Object.entries(input).filter(([code, value]) => {
      const readOnly = fields.find((field) => field.code === code)?.refused !== undefined
      return !readOnly || (isFilled(value) && !isDeepStrictEqual(value, storedUnder(values, code)))
    }),
  )

type Contacts = NonNullable<Body['contacts']>
type PresentContacts = { emails: readonly ComparedContact[]; mobiles: readonly ComparedContact[] }
type ComparedContact = { value: string; main: boolean; messengers: readonly string[]; agreement: string }

/**
 * Returns the needed part of the contacts: kinds that are unchanged are left out, and so are empty kinds that people
 * may not change.
 */
export function neededContacts(input: Contacts, present: PresentContacts, fields: readonly Definition[]): Contacts {
  const isUnchanged = (kind: ContactKind) => {
    const compared = (list: readonly ComparedContact[]) =>
      list.map(({ value, main, messengers, agreement }) => [
        stored(kind, value),
        main,
        [...messengers].toSorted(),
        agreement,
      ])
    return isDeepStrictEqual(compared(input[listOf[kind]] ?? []), compared(present[listOf[kind]]))
  }
  const unneeded = contactKinds.filter(
    (kind) => isUnchanged(kind) || (contactRefusal(kind, fields) && (input[listOf[kind]] ?? []).length === 0),
  )
  return Object.fromEntries(Object.entries(input).filter(([list]) => !unneeded.some((kind) => listOf[kind] === list)))
}
