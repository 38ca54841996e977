import { route } from '@/lib/context/route'
import * as calls from '@/lib/oidc/application-sessions/contract'
import * as verbs from '@/lib/oidc/application-sessions/service'

export const DELETE = route(calls.endApplicationSession, verbs.endApplicationSession)
