import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { getProfileHistory } from './service'

export default endpoints(calls, { getProfileHistory })
