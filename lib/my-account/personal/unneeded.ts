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

/** What `details` says of an account besides its fields; nobody changes it by a PATCH. */
const told = ['avatar', 'groups', 'isEditable', 'kept', 'directory'] as const
/** The main contacts, which change by a code. */
const proven = ['email', 'mobile'] as const

/**
 * Returns the part of `mainInfo` that a change needs. What people may not change is left out where it is empty or as it
 * is, and so is a name that stays: of a whole name and its parts that come together, what differs counts.
 */
export function neededInfo(sent: MainInfo, account: Account, fields: readonly Definition[]) {
  const names = fields.filter((field) => isBase(field) && isName(field.code))
  const needed: Record<string, unknown> = {}
  const faults: FieldError[] = []
  for (const [code, value] of Object.entries(sent)) {
    if (value === undefined || (told as readonly string[]).includes(code)) continue
    const now = account[code]
    if ((proven as readonly string[]).includes(code)) {
      const [kind, text] = [code as ContactKind, String(value)]
      if (isEmpty(value) || stored(kind, text) === stored(kind, String(now ?? ''))) continue
      faults.push({ field: `mainInfo.${code}`, code: 'errorReadOnly' })
      continue
    }
    const field = fields.find((one) => isBase(one) && one.code === code)
    if (isName(code)) {
      const name = tidyName(String(value ?? ''))
      const isAsked = field?.profile.required && name === ''
      if (name === '' && isNameLocked(code, names, account)) continue
      if (name === tidyName(String(now ?? '')) && !isAsked) continue
    } else if (!field || !mayEdit(field, account)) {
      if (isEmpty(value) || (field && value === now)) continue
    }
    needed[code] = value
  }
  return { needed: needed as Omit<MainInfo, (typeof told)[number] | (typeof proven)[number]>, faults }
}

/** The same for further fields, by their codes. */
export const neededValues = (
  sent: NonNullable<Body['additionalInfo']>,
  values: Readonly<Record<string, unknown>>,
  fields: readonly Writable[],
): typeof sent =>
  Object.fromEntries(
    Object.entries(sent).filter(([code, value]) => {
      const locked = fields.find((field) => field.code === code)?.refused !== undefined
      return !locked || (isFilled(value) && !isDeepStrictEqual(value, storedUnder(values, code)))
    }),
  )

type Contacts = NonNullable<Body['contacts']>
type Present = { emails: readonly Shown[]; mobiles: readonly Shown[] }
type Shown = { value: string; main: boolean; messengers: readonly string[]; agreement: string }

/** The same for contacts: a kind is left out where it is as it is, and empty where people may not change it. */
export function neededContacts(sent: Contacts, present: Present, fields: readonly Definition[]): Contacts {
  const alike = (kind: ContactKind) => {
    const facts = (list: readonly Shown[]) =>
      list.map(({ value, main, messengers, agreement }) => [
        stored(kind, value),
        main,
        [...messengers].toSorted(),
        agreement,
      ])
    return isDeepStrictEqual(facts(sent[listOf[kind]] ?? []), facts(present[listOf[kind]]))
  }
  const unneeded = contactKinds.filter(
    (kind) => alike(kind) || (contactRefusal(kind, fields) && (sent[listOf[kind]] ?? []).length === 0),
  )
  return Object.fromEntries(Object.entries(sent).filter(([list]) => !unneeded.some((kind) => listOf[kind] === list)))
}
