import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/roles/contract'
import * as verbs from '@/lib/people/roles/manage'

export const GET = route(calls.readRole, verbs.readRole)
export const PUT = route(calls.updateRole, verbs.updateRole)
export const DELETE = route(calls.deleteRole, verbs.deleteRole)
