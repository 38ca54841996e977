import { endpoints } from '@/lib/kernel/http/endpoints'
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
