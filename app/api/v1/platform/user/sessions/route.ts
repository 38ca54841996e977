import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/user-sessions/contract'
import * as verbs from '@/lib/entry/user-sessions/service'

export const GET = route(calls.listSessions, verbs.listSessions)
export const DELETE = route(calls.endSessions, verbs.endSessions)
