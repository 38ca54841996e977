import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { compareConfiguration, exportConfiguration, exportSealedConfiguration, importConfiguration } from './service'

export default endpoints(calls, {
  compareConfiguration,
  exportConfiguration,
  exportSealedConfiguration,
  importConfiguration,
})
