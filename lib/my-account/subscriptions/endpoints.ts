import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { getSubscriptions, putSubscriptions } from './service'

export default endpoints(calls, { getSubscriptions, putSubscriptions })
