import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/invitations/contract'
import * as verbs from '@/lib/entry/invitations/service'

export const GET = route(calls.readInvitation, verbs.readInvitation)
export const DELETE = route(calls.declineInvitation, verbs.declineInvitation)
