import { route } from '@/lib/context/route'
import { createNetworkAlias, listNetworkAliases } from '@/lib/platform/network-aliases/contract'
import { addNetworkAlias, networkAliases } from '@/lib/platform/network-aliases/service'

export const GET = route(listNetworkAliases, networkAliases)
export const POST = route(createNetworkAlias, addNetworkAlias)
