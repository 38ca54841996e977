import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/contractors/contract'
import * as verbs from '@/lib/people/contractors/service'

export const PUT = route(calls.enableContractor, verbs.enableContractor)
