import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { readUserFactors, resetUserFactors } from './service'

export default endpoints(calls, { readUserFactors, resetUserFactors })
