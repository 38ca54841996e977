import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { getSubscriptions, putSubscriptions } from './service'

export default endpoints(calls, { getSubscriptions, putSubscriptions })
