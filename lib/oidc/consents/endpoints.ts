import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { listUserApplications, withdrawUserApplication } from './service'

export default endpoints(calls, { listUserApplications, withdrawUserApplication })
