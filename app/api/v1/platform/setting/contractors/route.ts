import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/contractors/contract'
import * as verbs from '@/lib/people/contractors/service'

export const GET = route(calls.listContractors, verbs.listContractors)
export const POST = route(calls.createContractor, verbs.createContractor)
