import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  exportMonitoring,
  getMonitoringStatus,
  listMonitoredApplications,
  listMonitoring,
  readCheckHistory,
  refreshMonitoring,
} from './service'

export default endpoints(calls, {
  exportMonitoring,
  getMonitoringStatus,
  listMonitoredApplications,
  listMonitoring,
  readCheckHistory,
  refreshMonitoring,
})
