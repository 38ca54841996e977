import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { listFailedJobs, listFailedMessages, retryJobs, retryMessage } from './service'

export default endpoints(calls, { listFailedJobs, listFailedMessages, retryJobs, retryMessage })
