import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { acceptOwnInvitation, declineOwnInvitation, listOwnInvitations } from './service'

export default endpoints(calls, { acceptOwnInvitation, declineOwnInvitation, listOwnInvitations })
