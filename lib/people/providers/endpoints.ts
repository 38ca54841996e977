import { endpoints } from '@/lib/kernel/http/endpoints'
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
} from './manage'

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
