import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/user-help/contract'
import * as verbs from '@/lib/entry/user-help/service'

export const GET = route(calls.readUserLimits, verbs.readUserLimits)
export const DELETE = route(calls.liftUserLimits, verbs.liftUserLimits)
