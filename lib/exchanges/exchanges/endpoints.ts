import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  listIntegrationRuns,
  readIntegrationRun,
  readIntegrationRunFaults,
  resumeIntegrationRun,
  stopIntegrationRun,
} from './runs'
import {
  checkIntegrationSync,
  enableIntegrationSync,
  listIntegrationSyncs,
  readIntegrationSync,
  startIntegrationSync,
  updateIntegrationSync,
} from './service'

export default endpoints(calls, {
  listIntegrationRuns,
  readIntegrationRun,
  readIntegrationRunFaults,
  resumeIntegrationRun,
  stopIntegrationRun,
  checkIntegrationSync,
  enableIntegrationSync,
  listIntegrationSyncs,
  readIntegrationSync,
  startIntegrationSync,
  updateIntegrationSync,
})
