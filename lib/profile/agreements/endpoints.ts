import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { setAgreement } from './service'

export default endpoints(calls, { setAgreement })
