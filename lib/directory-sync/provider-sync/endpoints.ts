import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  listProviderRunRows,
  listProviderSyncHistory,
  readProviderRun,
  readProviderRunFaults,
  resumeProviderRun,
  startProviderSync,
  stopProviderRun,
  updateProviderSync,
} from './service'

export default endpoints(calls, {
  listProviderRunRows,
  listProviderSyncHistory,
  readProviderRun,
  readProviderRunFaults,
  resumeProviderRun,
  startProviderSync,
  stopProviderRun,
  updateProviderSync,
})
