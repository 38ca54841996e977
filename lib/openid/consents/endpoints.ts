import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { listUserApplications, withdrawUserApplication } from './service'

export default endpoints(calls, { listUserApplications, withdrawUserApplication })
