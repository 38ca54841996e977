import { endpoints } from '@/lib/base/http/endpoints'
import { acceptInvitation } from './accept'
import * as calls from './contract'
import { declineInvitation, readInvitation, sendInvitationCode, verifyInvitationMobile } from './service'

export default endpoints(calls, {
  acceptInvitation,
  declineInvitation,
  readInvitation,
  sendInvitationCode,
  verifyInvitationMobile,
})
