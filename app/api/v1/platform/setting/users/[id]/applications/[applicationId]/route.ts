import { route } from '@/lib/context/route'
import * as calls from '@/lib/oidc/applications-of-users/contract'
import * as verbs from '@/lib/oidc/applications-of-users/service'

export const DELETE = route(calls.withdrawApplicationOfUser, verbs.withdrawApplicationOfUser)
