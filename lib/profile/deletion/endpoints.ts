import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { requestDeletionCode } from './service'

export default endpoints(calls, { requestDeletionCode })
