import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/dynamic-fields/contract'
import * as verbs from '@/lib/people/dynamic-fields/service'
import * as tabCalls from '@/lib/people/field-tabs/contract'
import * as tabs from '@/lib/people/field-tabs/service'

export const GET = route(calls.readFieldTab, verbs.readFieldTab)
export const PUT = route(tabCalls.updateFieldTab, tabs.updateFieldTab)
export const DELETE = route(tabCalls.deleteFieldTab, tabs.deleteFieldTab)
