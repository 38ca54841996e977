import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import * as runs from './runs'
import {
  checkIntegrationSync,
  enableIntegrationSync,
  listIntegrationSyncs,
  readIntegrationSync,
  startIntegrationSync,
  updateIntegrationSync,
} from './service'

export default endpoints(calls, {
  ...runs,
  checkIntegrationSync,
  enableIntegrationSync,
  listIntegrationSyncs,
  readIntegrationSync,
  startIntegrationSync,
  updateIntegrationSync,
})
