import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { liveState } from './service'

export default endpoints(calls, { live: liveState })
