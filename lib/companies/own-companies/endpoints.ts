import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { leaveCompany, listCompanies, previewLeaving } from './service'

export default endpoints(calls, { leaveCompany, listCompanies, previewLeaving })
