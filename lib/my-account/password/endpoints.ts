import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { changePassword, requestPasswordCode } from './service'

export default endpoints(calls, { changePassword, requestPasswordCode })
