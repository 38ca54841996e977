import {
  acceptInvitation,
  declineInvitation,
  readInvitation,
  sendInvitationCode,
  verifyInvitationMobile,
} from '@/lib/joining/invitations/contract'
import { Browser } from '../../factories/browser'
import { formOf, prove, refuse, say } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { provenIn } from '../../factories/proofs'

const answers = ['joining/invitation-answers.test.ts', 'joining/invitations.test.ts']

/** The limit by address, and a gateway that can't send. */
const rules = ['sign-in/code-spraying.test.ts', 'messaging/sms.test.ts']

export default [
  provenIn(readInvitation, answers),
  provenIn(declineInvitation, answers, {
    makes: ['update invitations'],
    prepare: async () => {
      const { guid } = await invite()
      return () => refuse(new Browser(), guid)
    },
  }),
  provenIn(sendInvitationCode, answers, {
    rules,
    unrecorded: 'sends a code to somebody who has no account',
  }),
  provenIn(verifyInvitationMobile, answers, {
    rules,
    unrecorded: 'proves a mobile, which is recorded with the account',
  }),
  provenIn(acceptInvitation, [...answers, 'fields/form-fields.test.ts', 'fields/asked-fields.test.ts'], {
    rules: [...rules, 'joining/registration-link.test.ts', 'sign-in/ways-in-by-others.test.ts'],
    makes: ['create users', 'login users', 'update invitations', 'update users'],
    prepare: async () => {
      const [invited, browser] = [await invite(), new Browser()]
      const mobile = await prove(browser, invited.guid)
      return () => say(browser, formOf(invited, { mobile }))
    },
  }),
]
