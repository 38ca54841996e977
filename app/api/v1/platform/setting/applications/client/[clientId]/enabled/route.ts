import { route } from '@/lib/context/route'
import * as calls from '@/lib/oidc/clients/contract'
import * as verbs from '@/lib/oidc/clients/manage'

export const PUT = route(calls.enableClient, verbs.enableClient)
