import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/roles/contract'
import * as verbs from '@/lib/people/roles/manage'

export const GET = route(calls.searchMethods, verbs.searchMethods)
