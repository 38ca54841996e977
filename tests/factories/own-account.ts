import { requestContactCode, verifyContact } from '@/lib/my-account/contact-details/contract'
import { deleteProfile } from '@/lib/my-account/deletion/contract'
import { changePassword } from '@/lib/my-account/password/contract'
import { readProfileDetails, updateProfile } from '@/lib/my-account/personal/contract'
import { signedInWith } from './access'
import { Caller } from './caller'
import { passResend } from './codes'
import { lastCodeTo } from './messages'
import { handlerOf } from './routes'
import { createUser, password } from './users'

export const nextPassword = 'Violet-lantern-42'

/** A signed-in person with their account, who changes it. */
export async function ownAccount() {
  const { user, browser } = await signedInWith()
  return { user, caller: new Caller(browser) }
}

export const contactsOf = async (caller: Caller) => (await caller.call(readProfileDetails)).contactsInfo

let made = Math.floor(Math.random() * 1e6)
export const freshEmail = () => `proven-${made++}-${crypto.randomUUID().slice(0, 8)}@polaris.example`
export const freshMobile = () => `+7977${String(1_000_000 + (made++ % 8_999_999))}`

type Kind = 'email' | 'mobile'

/** Requests a code for a contact and returns its digits. */
export async function codeFor(caller: Caller, kind: Kind, value: string) {
  await passResend()
  await caller.call(requestContactCode, { body: { kind, value } })
  return lastCodeTo(value)
}

export const verify = (caller: Caller, kind: Kind, value: string, code: string, main = false) =>
  caller.send(verifyContact, { body: { kind, value, code, main } }, handlerOf(verifyContact))

export const save = (caller: Caller, contacts: object, updatedAt?: string) =>
  caller.send(updateProfile, { body: { contacts, ...(updatedAt ? { updatedAt } : {}) } })

export const change = (caller: Caller, body: object) => caller.send(changePassword, { body })
export const remove = (caller: Caller, body: object) => caller.send(deleteProfile, { body })

/** Changes that are ready to be made, for the test of what they record. */
export async function proving() {
  const { caller } = await ownAccount()
  const value = freshEmail()
  const code = await codeFor(caller, 'email', value)
  return () => verify(caller, 'email', value, code)
}
export async function changing() {
  const { caller } = await ownAccount()
  return () => change(caller, { actual: password, password: nextPassword, rePassword: nextPassword })
}
export async function deleting() {
  const { user, caller } = await ownAccount()
  return () => remove(caller, { login: user.login, password })
}

/** A change that makes a contact the main one which is somebody else's. */
async function othersContact(caller: Caller, kind: Kind) {
  const other = await createUser()
  const value = other[kind]
  await verify(caller, kind, value, await codeFor(caller, kind, value))
  const list = kind === 'email' ? 'emails' : 'mobiles'
  const ownContacts = (await contactsOf(caller))[list].map((each) => ({
    value: each.value,
    main: each.value === value,
  }))
  return { body: { contacts: { [list]: ownContacts } } }
}

const withMain = async (caller: Caller, ...more: string[]) => {
  const [main] = (await contactsOf(caller)).emails
  const emails = [{ value: main?.value ?? '', main: true }, ...more.map((value) => ({ value }))]
  return { body: { contacts: { emails } } }
}

/** How a change of the profile answers each code of its contacts. */
export const contactCases = {
  errorContactTwice: {
    field: 'contacts.emails.2.value',
    input: (caller: Caller) => withMain(caller, 'twice@polaris.example', 'Twice@polaris.example'),
  },
  errorContactMain: { field: 'contacts.emails', input: () => ({ body: { contacts: { emails: [] } } }) },
  errorContactUnproven: {
    field: 'contacts.emails.0.value',
    input: () => ({ body: { contacts: { emails: [{ value: freshEmail(), main: true }] } } }),
  },
  errorEmailRegistered: {
    field: 'contacts.emails.1.value',
    input: (caller: Caller) => othersContact(caller, 'email'),
  },
  errorMobileRegistered: {
    field: 'contacts.mobiles.1.value',
    input: (caller: Caller) => othersContact(caller, 'mobile'),
  },
}
