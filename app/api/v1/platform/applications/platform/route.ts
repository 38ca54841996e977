import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/start-up/contract'
import * as verbs from '@/lib/platform/start-up/service'

export const GET = route(calls.getPlatformApplication, verbs.getPlatformApplication)
