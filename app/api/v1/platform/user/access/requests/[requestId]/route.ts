import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/access-requests/contract'
import * as verbs from '@/lib/people/access-requests/service'

export const DELETE = route(calls.revokeAccessRequest, verbs.revokeAccessRequest)
