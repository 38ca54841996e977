import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/user-sessions/contract'
import * as verbs from '@/lib/entry/user-sessions/service'

export const DELETE = route(calls.endSession, verbs.endSession)
