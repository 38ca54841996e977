import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/access-requests/contract'
import * as verbs from '@/lib/people/access-requests/contractors'

export const GET = route(calls.listGrantableRoles, verbs.listGrantableRoles)
