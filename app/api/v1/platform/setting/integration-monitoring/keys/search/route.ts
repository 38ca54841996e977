import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/integration-journal/contract'
import * as verbs from '@/lib/entry/integration-journal/service'

export const GET = route(calls.searchIntegrationKeys, verbs.searchIntegrationKeys)
