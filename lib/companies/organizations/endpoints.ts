import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  createOrganization,
  deleteOrganization,
  enableOrganization,
  listOrganizations,
  readOrganization,
  searchOrganizations,
  updateOrganization,
} from './service'

export default endpoints(calls, {
  createOrganization,
  deleteOrganization,
  enableOrganization,
  listOrganizations,
  readOrganization,
  searchOrganizations,
  updateOrganization,
})
