import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/own-invitations/contract'
import * as verbs from '@/lib/entry/own-invitations/service'

export const GET = route(calls.listOwnInvitations, verbs.listOwnInvitations)
