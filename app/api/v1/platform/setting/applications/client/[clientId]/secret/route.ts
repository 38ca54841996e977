import { route } from '@/lib/context/route'
import * as calls from '@/lib/oidc/clients/contract'
import * as verbs from '@/lib/oidc/clients/manage'

export const GET = route(calls.readClientSecret, verbs.readClientSecret)
export const PUT = route(calls.rotateClientSecret, verbs.rotateClientSecret)
export const DELETE = route(calls.endPreviousSecret, verbs.endPreviousSecret)
