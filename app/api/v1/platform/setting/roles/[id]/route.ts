import { route } from '@/lib/context/route'
import * as changes from '@/lib/people/roles/changes'
import * as calls from '@/lib/people/roles/contract'
import * as reads from '@/lib/people/roles/reads'

export const GET = route(calls.getRole, reads.getRole)
export const PUT = route(calls.updateRole, changes.updateRole)
export const DELETE = route(calls.deleteRole, changes.deleteRole)
