import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/provider-sync/contract'
import * as verbs from '@/lib/entry/provider-sync/service'

export const POST = route(calls.resumeProviderRun, verbs.resumeProviderRun)
