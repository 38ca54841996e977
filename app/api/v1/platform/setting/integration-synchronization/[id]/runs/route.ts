import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/integration/contract'
import * as verbs from '@/lib/entry/integration/runs'

export const GET = route(calls.listIntegrationRuns, verbs.listIntegrationRuns)
