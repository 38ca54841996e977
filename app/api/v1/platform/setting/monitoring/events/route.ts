import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/events/contract'
import * as verbs from '@/lib/operations/events/service'

export const GET = route(calls.listUndelivered, verbs.listUndelivered)
