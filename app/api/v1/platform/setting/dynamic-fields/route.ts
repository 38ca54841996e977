import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/dynamic-fields/contract'
import * as verbs from '@/lib/people/dynamic-fields/service'

export const GET = route(calls.listDynamicFields, verbs.listDynamicFields)
export const POST = route(calls.createDynamicField, verbs.createDynamicField)
