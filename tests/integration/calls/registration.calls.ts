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

const mobile = [
  'joining/registration-mobile.test.ts',
  'joining/registration.test.ts',
  'joining/registration-link.test.ts',
]

/** The limit by address, and a gateway that can't send. */
const rules = ['sign-in/code-spraying.test.ts', 'messaging/sms.test.ts']

export default [
  provenIn(registrationLink, ['joining/registration-link.test.ts', 'joining/registration.test.ts'], {
    unrecorded: 'sends a link; nothing is kept of somebody who has no account',
  }),
  provenIn(registrationStatus, ['joining/registration.test.ts', 'joining/registration-link.test.ts']),
  provenIn(registrationCode, mobile, {
    rules,
    unrecorded: 'sends a code of a registration that isn’t finished',
  }),
  provenIn(registrationVerify, mobile, {
    rules,
    unrecorded: 'proves a mobile, which is recorded with the account',
  }),
  provenIn(
    registrationComplete,
    ['joining/registration.test.ts', 'joining/registration-mobile.test.ts', 'fields/asked-fields.test.ts'],
    {
      // the rules of links, passwords and new accounts are the same everywhere
      rules: [
        ...rules,
        'fields/form-fields.test.ts',
        'joining/registration-link.test.ts',
        'sign-in/recovery-password.test.ts',
        'joining/invitations.test.ts',
      ],
      makes: ['create users', 'login users'],
      prepare: async () => {
        const browser = new Browser()
        const { secret } = await startRegistration(browser)
        const proven = await proveMobileOf(browser, secret)
        return () => finish(browser, secret, { mobile: proven })
      },
    },
  ),
]
