import {
  registrationCode,
  registrationComplete,
  registrationLink,
  registrationStatus,
  registrationVerify,
} from '@/lib/joining/registration/contract'
import { Browser } from '../../factories/browser'
import { provenIn } from '../../factories/proofs'
import { finish, proveMobileOf, startRegistration } from '../../factories/registration'

const mobile = ['registration-mobile.test.ts', 'registration.test.ts', 'registration-link.test.ts']

/** The limit by address, and a gateway that can't send. */
const rules = ['code-spraying.test.ts', 'sms.test.ts']

export default [
  provenIn(registrationLink, ['registration-link.test.ts', 'registration.test.ts'], {
    unrecorded: 'sends a link; nothing is kept of somebody who has no account',
  }),
  provenIn(registrationStatus, ['registration.test.ts', 'registration-link.test.ts']),
  provenIn(registrationCode, mobile, {
    rules,
    unrecorded: 'sends a code of a registration that isn’t finished',
  }),
  provenIn(registrationVerify, mobile, {
    rules,
    unrecorded: 'proves a mobile, which is recorded with the account',
  }),
  provenIn(registrationComplete, ['registration.test.ts', 'registration-mobile.test.ts', 'asked-fields.test.ts'], {
    // the rules of links, passwords and new accounts are the same everywhere
    rules: [
      ...rules,
      'form-fields.test.ts',
      'registration-link.test.ts',
      'recovery-password.test.ts',
      'invitations.test.ts',
    ],
    makes: ['create users', 'login users'],
    prepare: async () => {
      const browser = new Browser()
      const { secret } = await startRegistration(browser)
      const proven = await proveMobileOf(browser, secret)
      return () => finish(browser, secret, { mobile: proven })
    },
  }),
]
