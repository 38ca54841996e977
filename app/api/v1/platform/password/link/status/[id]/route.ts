import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/passwords/contract'
import * as verbs from '@/lib/entry/passwords/recovery'

export const GET = route(calls.passwordLinkStatus, verbs.passwordLinkStatus)
