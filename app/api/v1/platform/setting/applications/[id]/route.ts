import { route } from '@/lib/context/route'
import * as oidcCalls from '@/lib/oidc/applications/contract'
import * as oidcVerbs from '@/lib/oidc/applications/service'
import * as calls from '@/lib/platform/applications/contract'
import * as verbs from '@/lib/platform/applications/manage'

export const PUT = route(calls.updateApplication, verbs.updateApplication)
export const DELETE = route(oidcCalls.deleteApplication, oidcVerbs.deleteApplication)
