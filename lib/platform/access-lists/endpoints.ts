import { endpoints } from '@/lib/kernel/http/endpoints'
import * as checkAddress from './check-address'
import * as calls from './contract'
import * as entries from './entries'

export default endpoints(calls, { ...checkAddress, ...entries })
