import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/dynamic-fields/contract'
import * as verbs from '@/lib/people/dynamic-fields/service'

export const GET = route(calls.listFieldTypes, verbs.listFieldTypes)
