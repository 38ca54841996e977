import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { reportDevice } from './service'

export default endpoints(calls, { reportDevice })
