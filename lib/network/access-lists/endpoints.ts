import { endpoints } from '@/lib/base/http/endpoints'
import { checkAddress, readWhitelistEnd } from './check-address'
import * as calls from './contract'
import {
  createBlacklistEntry,
  createWhitelistEntry,
  deleteBlacklistEntry,
  deleteWhitelistEntry,
  enableBlacklistEntry,
  enableWhitelistEntry,
  listBlacklist,
  listWhitelist,
  updateBlacklistEntry,
  updateWhitelistEntry,
} from './entries'

export default endpoints(calls, {
  checkAddress,
  readWhitelistEnd,
  createBlacklistEntry,
  createWhitelistEntry,
  deleteBlacklistEntry,
  deleteWhitelistEntry,
  enableBlacklistEntry,
  enableWhitelistEntry,
  listBlacklist,
  listWhitelist,
  updateBlacklistEntry,
  updateWhitelistEntry,
})
