import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/integration/contract'
import * as verbs from '@/lib/entry/integration/service'

export const GET = route(calls.readIntegrationSync, verbs.readIntegrationSync)
export const PUT = route(calls.updateIntegrationSync, verbs.updateIntegrationSync)
