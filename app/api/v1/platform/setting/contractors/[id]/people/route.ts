import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/contractors/contract'
import * as verbs from '@/lib/people/contractors/people'

export const GET = route(calls.listContractorPeople, verbs.listContractorPeople)
