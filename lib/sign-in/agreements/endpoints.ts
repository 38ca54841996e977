import { endpoints } from '@/lib/base/http/endpoints'
import { acceptAgreements } from './asked'
import * as calls from './contract'

export default endpoints(calls, { acceptAgreements })
