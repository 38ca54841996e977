import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import * as manage from './manage'

export default endpoints(calls, manage)
