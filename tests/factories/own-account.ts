import {
  getContactDetails,
  requestContactCode,
  saveContactDetails,
  verifyContact,
} from '@/lib/profile/contacts/contract'
import { changePassword } from '@/lib/profile/password/contract'
import { deleteProfile } from '@/lib/profile/personal/contract'
import { signedInWith } from './access'
import { Caller } from './caller'
import { passResend } from './codes'
import { lastCodeTo } from './messages'
import { handlerOf } from './routes'
import { password } from './users'

export const nextPassword = 'Violet-lantern-42'

/** A signed-in person with their account, who changes it. */
export async function ownAccount() {
  const { user, browser } = await signedInWith()
  return { user, caller: new Caller(browser) }
}

export const contactsOf = async (caller: Caller) => (await caller.call(getContactDetails)).contactsInfo

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
  caller.send(saveContactDetails, { body: { contacts, ...(updatedAt ? { updatedAt } : {}) } })

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
