import { route } from '@/lib/context/route'
import { endSessions, listSessions } from '@/lib/entry/user-sessions/contract'
import { endOwnSessions, sessions } from '@/lib/entry/user-sessions/service'

export const GET = route(listSessions, sessions)
export const DELETE = route(endSessions, endOwnSessions)
