import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { listGrantableRoles, listManagedContractors } from './contractors'
import { allowAccess, approveWithContractor, markDuplicate, refuseAccess } from './decide'
import {
  createAccessRequests,
  listAccessRequests,
  listAvailableRoles,
  listIncomingRequests,
  revokeAccessRequest,
} from './service'

export default endpoints(calls, {
  listGrantableRoles,
  listManagedContractors,
  allowAccess,
  approveWithContractor,
  markDuplicate,
  refuseAccess,
  createAccessRequests,
  listAccessRequests,
  listAvailableRoles,
  listIncomingRequests,
  revokeAccessRequest,
})
