import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { liveState } from './service'

export default endpoints(calls, { live: liveState })
