import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import * as service from './service'

export default endpoints(calls, service)
