import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { createInvitation, listSentInvitations, resendInvitation, revokeInvitation } from './service'

export default endpoints(calls, { createInvitation, listSentInvitations, resendInvitation, revokeInvitation })
