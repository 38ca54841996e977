import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/network-aliases/contract'
import * as verbs from '@/lib/platform/network-aliases/service'

export const GET = route(calls.searchNetworkAliases, verbs.searchNetworkAliases)
