import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { createInvitation, listSentInvitations, resendInvitation, revokeInvitation } from './service'

export default endpoints(calls, { createInvitation, listSentInvitations, resendInvitation, revokeInvitation })
