import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { acceptOwnInvitation, declineOwnInvitation, listOwnInvitations } from './service'

export default endpoints(calls, { acceptOwnInvitation, declineOwnInvitation, listOwnInvitations })
