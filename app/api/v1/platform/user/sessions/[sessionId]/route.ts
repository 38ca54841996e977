import { route } from '@/lib/context/route'
import { endSession } from '@/lib/entry/user-sessions/contract'
import { endOwnSession } from '@/lib/entry/user-sessions/service'

export const DELETE = route(endSession, endOwnSession)
