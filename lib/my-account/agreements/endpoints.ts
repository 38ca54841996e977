import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { setAgreement } from './service'

export default endpoints(calls, { setAgreement })
