import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { changePassword, requestPasswordCode } from './service'

export default endpoints(calls, { changePassword, requestPasswordCode })
