import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/roles/contract'
import * as reads from '@/lib/people/roles/reads'

export const GET = route(calls.searchRoles, reads.searchRoles)
