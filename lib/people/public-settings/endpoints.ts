import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { getPublicSettings } from './service'

export default endpoints(calls, { getPublicSettings })
