import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { getDiagnosticsStatus, getUpdateStatus, listFindings, listVersions, refreshVersions } from './service'

export default endpoints(calls, { getDiagnosticsStatus, getUpdateStatus, listFindings, listVersions, refreshVersions })
