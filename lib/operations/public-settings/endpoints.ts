import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { getPublicSettings } from './service'

export default endpoints(calls, { getPublicSettings })
