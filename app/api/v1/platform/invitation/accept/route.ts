import { route } from '@/lib/context/route'
import * as verbs from '@/lib/entry/invitations/accept'
import * as calls from '@/lib/entry/invitations/contract'

export const POST = route(calls.acceptInvitation, verbs.acceptInvitation)
