import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { leaveCompany, listCompanies, previewLeaving } from './service'

export default endpoints(calls, { leaveCompany, listCompanies, previewLeaving })
