import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/sessions-of-users/contract'
import * as verbs from '@/lib/entry/sessions-of-users/service'

export const GET = route(calls.listUserSessions, verbs.listUserSessions)
export const DELETE = route(calls.endUserSessions, verbs.endUserSessions)
