import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import * as icon from './icon'
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
  ...icon,
  createApplication,
  enableApplication,
  listApplications,
  orderApplications,
  showApplication,
  updateApplication,
  updateApplicationMethods,
})
