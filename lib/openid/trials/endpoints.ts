import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { startClientTrial } from './service'

export default endpoints(calls, { startClientTrial })
