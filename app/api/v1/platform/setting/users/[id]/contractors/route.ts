import { route } from '@/lib/context/route'
import * as verbs from '@/lib/people/contractors/of-person'
import * as calls from '@/lib/people/user-administration/contract'

export const PUT = route(calls.setUserContractors, verbs.setUserContractors)
