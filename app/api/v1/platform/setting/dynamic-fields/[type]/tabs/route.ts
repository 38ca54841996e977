import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/dynamic-fields/contract'
import * as verbs from '@/lib/people/dynamic-fields/service'
import * as tabCalls from '@/lib/people/field-tabs/contract'
import * as tabs from '@/lib/people/field-tabs/service'

export const GET = route(calls.listFieldTabs, verbs.listFieldTabs)
export const POST = route(tabCalls.createFieldTab, tabs.createFieldTab)
