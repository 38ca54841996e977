import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/providers/contract'
import * as verbs from '@/lib/people/providers/manage'

export const GET = route(calls.readProvider, verbs.readProvider)
export const PUT = route(calls.updateProvider, verbs.updateProvider)
export const DELETE = route(calls.deleteProvider, verbs.deleteProvider)
