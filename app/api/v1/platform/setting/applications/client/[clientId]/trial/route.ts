import { route } from '@/lib/context/route'
import * as calls from '@/lib/oidc/trials/contract'
import * as verbs from '@/lib/oidc/trials/service'

export const POST = route(calls.startClientTrial, verbs.startClientTrial)
