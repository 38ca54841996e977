import { route } from '@/lib/context/route'
import * as verbs from '@/lib/entry/user-sessions/administration'
import * as calls from '@/lib/entry/user-sessions/contract'

export const GET = route(calls.listUserSessions, verbs.listUserSessions)
export const DELETE = route(calls.endUserSessions, verbs.endUserSessions)
