import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/sent-invitations/contract'
import * as verbs from '@/lib/entry/sent-invitations/service'

export const GET = route(calls.listSentInvitations, verbs.listSentInvitations)
export const POST = route(calls.createInvitation, verbs.createInvitation)
