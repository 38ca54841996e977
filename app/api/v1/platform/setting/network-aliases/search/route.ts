import { route } from '@/lib/context/route'
import { searchNetworkAliases } from '@/lib/platform/network-aliases/contract'
import { networkAliasChoice } from '@/lib/platform/network-aliases/service'

export const GET = route(searchNetworkAliases, networkAliasChoice)
