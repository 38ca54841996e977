import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/provider-sync/contract'
import * as verbs from '@/lib/entry/provider-sync/service'

export const PUT = route(calls.updateProviderSync, verbs.updateProviderSync)
