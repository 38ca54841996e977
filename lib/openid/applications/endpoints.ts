import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  deleteApplication,
  filterMethods,
  previewClaims,
  readApplicationDetails,
  updateServiceMethods,
} from './service'

export default endpoints(calls, {
  deleteApplication,
  filterMethods,
  previewClaims,
  readApplicationDetails,
  updateServiceMethods,
})
