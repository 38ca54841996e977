import { endpoints } from '@/lib/kernel/http/endpoints'
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
