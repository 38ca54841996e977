import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { liftAddressLimits, readAddressLimits } from './service'

export default endpoints(calls, { liftAddressLimits, readAddressLimits })
