import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/dynamic-fields/contract'
import * as verbs from '@/lib/people/dynamic-fields/service'

export const GET = route(calls.readDynamicField, verbs.readDynamicField)
export const PUT = route(calls.updateDynamicField, verbs.updateDynamicField)
export const DELETE = route(calls.deleteDynamicField, verbs.deleteDynamicField)
