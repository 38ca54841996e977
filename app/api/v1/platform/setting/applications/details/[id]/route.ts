import { route } from '@/lib/context/route'
import * as calls from '@/lib/oidc/applications/contract'
import * as verbs from '@/lib/oidc/applications/service'

export const GET = route(calls.readApplicationDetails, verbs.readApplicationDetails)
