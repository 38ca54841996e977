import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/integration/contract'
import * as verbs from '@/lib/entry/integration/service'

export const POST = route(calls.startIntegrationSync, verbs.startIntegrationSync)
