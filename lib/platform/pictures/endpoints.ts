import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { readLogo } from './service'

export default endpoints(calls, { readLogo })
