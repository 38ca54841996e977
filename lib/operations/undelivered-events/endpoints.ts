import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { listUndelivered, retryEvent, skipEvent } from './service'

export default endpoints(calls, { listUndelivered, retryEvent, skipEvent })
