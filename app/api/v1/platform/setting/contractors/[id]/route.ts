import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/contractors/contract'
import * as verbs from '@/lib/people/contractors/service'

export const GET = route(calls.readContractor, verbs.readContractor)
export const PUT = route(calls.updateContractor, verbs.updateContractor)
export const DELETE = route(calls.deleteContractor, verbs.deleteContractor)
