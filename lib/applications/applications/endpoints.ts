import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { deleteApplicationIcon, patchApplicationIcon } from './icon'
import {
  createApplication,
  enableApplication,
  listApplications,
  orderApplications,
  showApplication,
  updateApplication,
  updateApplicationMethods,
} from './manage'

export default endpoints(calls, {
  deleteApplicationIcon,
  patchApplicationIcon,
  createApplication,
  enableApplication,
  listApplications,
  orderApplications,
  showApplication,
  updateApplication,
  updateApplicationMethods,
})
