import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  createNetworkAlias,
  deleteNetworkAlias,
  listNetworkAliases,
  searchNetworkAliases,
  updateNetworkAlias,
} from './service'

export default endpoints(calls, {
  createNetworkAlias,
  deleteNetworkAlias,
  listNetworkAliases,
  searchNetworkAliases,
  updateNetworkAlias,
})
