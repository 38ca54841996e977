import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { requestContactCode, verifyContact } from './service'

export default endpoints(calls, { requestContactCode, verifyContact })
