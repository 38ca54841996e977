import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  confirmAuthenticatorApp,
  readOwnFactors,
  removeAuthenticatorApp,
  renewRecoveryCodes,
  requestFactorsCode,
  startAuthenticatorApp,
} from './service'

export default endpoints(calls, {
  confirmAuthenticatorApp,
  readOwnFactors,
  removeAuthenticatorApp,
  renewRecoveryCodes,
  requestFactorsCode,
  startAuthenticatorApp,
})
