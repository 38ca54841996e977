import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/sent-invitations/contract'
import * as verbs from '@/lib/entry/sent-invitations/service'

export const POST = route(calls.resendInvitation, verbs.resendInvitation)
