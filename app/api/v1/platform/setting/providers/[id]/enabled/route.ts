import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/providers/contract'
import * as verbs from '@/lib/people/providers/manage'

export const PUT = route(calls.enableProvider, verbs.enableProvider)
