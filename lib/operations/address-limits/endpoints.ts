import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { liftAddressLimits, readAddressLimits } from './service'

export default endpoints(calls, { liftAddressLimits, readAddressLimits })
