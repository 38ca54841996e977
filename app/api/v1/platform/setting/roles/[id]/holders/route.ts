import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/role-holders/contract'
import * as verbs from '@/lib/people/role-holders/service'

export const GET = route(calls.listHolders, verbs.listHolders)
export const POST = route(calls.addHolders, verbs.addHolders)
export const DELETE = route(calls.removeHolder, verbs.removeHolder)
