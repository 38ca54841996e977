import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import * as contractors from './contractors'
import * as decide from './decide'
import {
  createAccessRequests,
  listAccessRequests,
  listAvailableRoles,
  listIncomingRequests,
  revokeAccessRequest,
} from './service'

export default endpoints(calls, {
  ...contractors,
  ...decide,
  createAccessRequests,
  listAccessRequests,
  listAvailableRoles,
  listIncomingRequests,
  revokeAccessRequest,
})
