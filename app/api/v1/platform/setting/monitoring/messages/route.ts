import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/failed-work/contract'
import * as verbs from '@/lib/operations/failed-work/service'

export const GET = route(calls.listFailedMessages, verbs.listFailedMessages)
