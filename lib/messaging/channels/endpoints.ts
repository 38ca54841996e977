import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { enableNotifyMethod, listNotifyMethods } from './service'

export default endpoints(calls, { enableNotifyMethod, listNotifyMethods })
