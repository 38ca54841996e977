import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/providers/contract'
import * as verbs from '@/lib/people/providers/manage'

export const GET = route(calls.listProviders, verbs.listProviders)
export const POST = route(calls.createProvider, verbs.createProvider)
