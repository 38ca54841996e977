import { route } from '@/lib/context/route'
import * as changes from '@/lib/people/roles/changes'
import * as calls from '@/lib/people/roles/contract'
import * as reads from '@/lib/people/roles/reads'

export const GET = route(calls.listRoles, reads.listRoles)
export const POST = route(calls.createRole, changes.createRole)
