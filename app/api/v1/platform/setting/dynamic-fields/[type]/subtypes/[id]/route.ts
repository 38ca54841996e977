import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/dynamic-fields/contract'
import * as verbs from '@/lib/people/dynamic-fields/subtypes'

export const DELETE = route(calls.deleteSubtype, verbs.deleteSubtype)
