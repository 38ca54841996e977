import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/events/contract'
import * as verbs from '@/lib/operations/events/service'

export const POST = route(calls.skipEvent, verbs.skipEvent)
