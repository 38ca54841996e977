import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/history/contract'
import * as verbs from '@/lib/operations/history/stream'

export const GET = route(calls.streamHistory, verbs.streamHistory)
