import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/history/contract'
import * as verbs from '@/lib/operations/history/export'

export const GET = route(calls.exportHistory, verbs.exportHistory)
