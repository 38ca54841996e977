import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/access-requests/contract'
import * as verbs from '@/lib/people/access-requests/decide'

export const POST = route(calls.approveWithContractor, verbs.approveWithContractor)
