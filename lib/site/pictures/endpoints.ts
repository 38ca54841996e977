import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { readLogo } from './service'

export default endpoints(calls, { readLogo })
