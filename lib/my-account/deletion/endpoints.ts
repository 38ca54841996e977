import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { deleteProfile, requestDeletionCode } from './service'

export default endpoints(calls, { deleteProfile, requestDeletionCode })
