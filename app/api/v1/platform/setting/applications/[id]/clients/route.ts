import { route } from '@/lib/context/route'
import * as calls from '@/lib/oidc/clients/contract'
import * as verbs from '@/lib/oidc/clients/manage'

export const POST = route(calls.createClient, verbs.createClient)
