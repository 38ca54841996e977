import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { liftUserLimits, listUserMessages, readUserLimits } from './service'

export default endpoints(calls, { liftUserLimits, listUserMessages, readUserLimits })
