import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/access-requests/contract'
import * as verbs from '@/lib/people/access-requests/service'

export const GET = route(calls.listAccessRequests, verbs.listAccessRequests)
export const POST = route(calls.createAccessRequests, verbs.createAccessRequests)
