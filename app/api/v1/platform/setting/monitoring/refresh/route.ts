import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/monitoring/contract'
import * as verbs from '@/lib/operations/monitoring/service'

export const GET = route(calls.refreshMonitoring, verbs.refreshMonitoring)
