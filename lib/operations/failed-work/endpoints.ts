import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { listFailedJobs, listFailedMessages, retryJobs, retryMessage } from './service'

export default endpoints(calls, { listFailedJobs, listFailedMessages, retryJobs, retryMessage })
