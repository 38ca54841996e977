import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { getProfileHistory } from './service'

export default endpoints(calls, { getProfileHistory })
