import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { startClientTrial } from './service'

export default endpoints(calls, { startClientTrial })
