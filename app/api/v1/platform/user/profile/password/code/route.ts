import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/password/contract'
import * as verbs from '@/lib/profile/password/service'

export const POST = route(calls.requestPasswordCode, verbs.requestPasswordCode)
