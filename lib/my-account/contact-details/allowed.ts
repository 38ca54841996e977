import { profileFields } from '@/lib/fields/profile-fields/service'
import { type Definition, isBase } from '@/lib/fields/values/definition'
import { type ContactKind, type ContactsInfo, contactKinds } from './contract'

const fieldOf = (kind: ContactKind, fields: readonly Definition[]) =>
  fields.find((field) => isBase(field) && field.code === kind)

/** Returns why people may not change their contacts of a kind, by the flags of its field; null if they may. */
export function contactRefusal(kind: ContactKind, fields: readonly Definition[]) {
  const { profile } = fieldOf(kind, fields) ?? {}
  if (!profile?.visible) return 'errorUnknownField'
  return profile.edit ? null : 'errorReadOnly'
}

/** The same, with the present fields. */
export const ownContactRefusal = async (kind: ContactKind) => contactRefusal(kind, await profileFields())

/** Returns the contacts of the kinds that the profile shows. */
export function visibleContacts({ emails, mobiles }: ContactsInfo, fields: readonly Definition[]): ContactsInfo {
  const [email, mobile] = contactKinds.map((kind) => fieldOf(kind, fields)?.profile.visible)
  return { emails: email ? emails : [], mobiles: mobile ? mobiles : [] }
}
