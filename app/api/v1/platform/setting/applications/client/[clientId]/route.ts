import { route } from '@/lib/context/route'
import * as calls from '@/lib/oidc/clients/contract'
import * as verbs from '@/lib/oidc/clients/manage'

export const PUT = route(calls.updateClient, verbs.updateClient)
export const DELETE = route(calls.deleteClient, verbs.deleteClient)
