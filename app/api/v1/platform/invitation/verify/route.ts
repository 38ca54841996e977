import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/invitations/contract'
import * as verbs from '@/lib/entry/invitations/service'

export const PUT = route(calls.verifyInvitationMobile, verbs.verifyInvitationMobile)
