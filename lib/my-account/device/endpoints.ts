import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { reportDevice } from './service'

export default endpoints(calls, { reportDevice })
