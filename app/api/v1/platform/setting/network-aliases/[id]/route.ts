import { route } from '@/lib/context/route'
import { deleteNetworkAlias, updateNetworkAlias } from '@/lib/platform/network-aliases/contract'
import { changeNetworkAlias, dropNetworkAlias } from '@/lib/platform/network-aliases/service'

export const PUT = route(updateNetworkAlias, changeNetworkAlias)
export const DELETE = route(deleteNetworkAlias, dropNetworkAlias)
