import { route } from '@/lib/context/route'
import * as calls from '@/lib/oidc/consents/contract'
import * as verbs from '@/lib/oidc/consents/service'

export const DELETE = route(calls.withdrawUserApplication, verbs.withdrawUserApplication)
