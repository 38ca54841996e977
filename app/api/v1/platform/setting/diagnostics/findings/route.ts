import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/diagnostics/contract'
import * as verbs from '@/lib/operations/diagnostics/service'

export const GET = route(calls.listFindings, verbs.listFindings)
