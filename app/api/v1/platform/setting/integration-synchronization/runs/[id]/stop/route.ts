import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/integration/contract'
import * as verbs from '@/lib/entry/integration/runs'

export const POST = route(calls.stopIntegrationRun, verbs.stopIntegrationRun)
