import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  forgetUserBrowser,
  listUserAgreements,
  listUserBrowsers,
  listUserInvitations,
  listUserRequests,
} from './service'

export default endpoints(calls, {
  forgetUserBrowser,
  listUserAgreements,
  listUserBrowsers,
  listUserInvitations,
  listUserRequests,
})
