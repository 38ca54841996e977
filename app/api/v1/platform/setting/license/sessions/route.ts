import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/license/contract'
import * as verbs from '@/lib/operations/license/service'

export const GET = route(calls.countLicenseSessions, verbs.countLicenseSessions)
