import { endpoints } from '@/lib/base/http/endpoints'
import { registrationComplete } from './complete'
import * as calls from './contract'
import { registrationLink } from './request-link'
import { registrationCode, registrationStatus, registrationVerify } from './service'

export default endpoints(calls, {
  registrationComplete,
  registrationLink,
  registrationCode,
  registrationStatus,
  registrationVerify,
})
