/** The password of every demo account. */
export const demoPassword = 'Polaris-2026-demo'

/** Accounts that show one thing each; `about` is for the list that `npm run demo` prints. */
export const demoAccounts = [
  { login: 'admin', about: 'administrator: everything in administration' },
  { login: 'auditor', about: 'auditor: sees administration, changes nothing' },
  { login: 'support', about: 'support: users, sessions, history' },
  { login: 'manager', about: 'contractor manager: requests, invitations and contacts of two contractors' },
  { login: 'one-service', about: 'employee with one service' },
  { login: 'services', about: 'employee with several services' },
  { login: 'no-services', about: 'nobody yet: no role, no service' },
  { login: 'empty-fields', about: 'required profile fields are empty' },
  { login: 'blocked', about: 'blocked: the right password does not help' },
  { login: 'first-entry', about: 'must choose a password of their own at the first sign-in' },
  { login: 'two-factors', about: 'password, then a code by mail, SMS or of an authenticator app; or a passkey' },
] as const

export type DemoLogin = (typeof demoAccounts)[number]['login']
