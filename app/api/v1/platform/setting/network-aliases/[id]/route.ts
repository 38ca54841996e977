import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/network-aliases/contract'
import * as verbs from '@/lib/platform/network-aliases/service'

export const PUT = route(calls.updateNetworkAlias, verbs.updateNetworkAlias)
export const DELETE = route(calls.deleteNetworkAlias, verbs.deleteNetworkAlias)
