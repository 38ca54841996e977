import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/own-history/contract'
import * as verbs from '@/lib/operations/own-history/service'

export const GET = route(calls.getProfileHistory, verbs.getProfileHistory)
