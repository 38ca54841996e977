import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  checkProvider,
  createProvider,
  deleteProvider,
  enableProvider,
  listProviders,
  readProvider,
  readProviderSecret,
  updateProvider,
} from './service'

export default endpoints(calls, {
  checkProvider,
  createProvider,
  deleteProvider,
  enableProvider,
  listProviders,
  readProvider,
  readProviderSecret,
  updateProvider,
})
