import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/failed-work/contract'
import * as verbs from '@/lib/operations/failed-work/service'

export const POST = route(calls.retryMessage, verbs.retryMessage)
