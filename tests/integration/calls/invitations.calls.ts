import {
  acceptInvitation,
  declineInvitation,
  readInvitation,
  sendInvitationCode,
  verifyInvitationMobile,
} from '@/lib/entry/invitations/contract'
import { createInvitation, resendInvitation, revokeInvitation } from '@/lib/entry/invitations/manage'
import { Browser } from '../../factories/browser'
import { createContractor, createContractorRole, newEmail } from '../../factories/companies'
import { formOf, prove, refuse, say } from '../../factories/invitation-calls'
import { createMaster, invite } from '../../factories/invitations'
import { provenIn, recording } from '../../factories/proofs'

const answers = ['invitation-answers.test.ts', 'invitations.test.ts']

/** The limit by address, and a gateway that can't send. */
const rules = ['code-spraying.test.ts', 'sms.test.ts']

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
  provenIn(acceptInvitation, [...answers, 'form-fields.test.ts', 'asked-fields.test.ts'], {
    rules: [...rules, 'registration-link.test.ts'],
    makes: ['create users', 'login users', 'update invitations', 'update users'],
    prepare: async () => {
      const [invited, browser] = [await invite(), new Browser()]
      const mobile = await prove(browser, invited.guid)
      return () => say(browser, formOf(invited, { mobile }))
    },
  }),
  recording('createInvitation', {
    makes: ['create invitations'],
    prepare: async () => {
      const company = await createContractor()
      const [master, role] = [await createMaster(company), await createContractorRole()]
      const access = [{ organizationId: company.organization.id, roles: [role.id] }]
      const wanted = { email: newEmail(), contractorId: company.contractor.id, access }
      return () => createInvitation(master.ctx, wanted)
    },
  }),
  recording('resendInvitation', {
    makes: ['update invitations'],
    prepare: async () => {
      const { master, id } = await invite()
      const later = new Date(Date.now() + 120_000)
      return () => resendInvitation({ ...master.ctx, now: () => later }, { id })
    },
  }),
  recording('revokeInvitation', {
    makes: ['update invitations'],
    prepare: async () => {
      const { master, id } = await invite()
      return () => revokeInvitation(master.ctx, { id })
    },
  }),
]
