import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  addBaseMappers,
  createProviderMapper,
  deleteProviderMapper,
  enableProviderMapper,
  listMapperFields,
  listProviderMappers,
  updateProviderMapper,
} from './service'

export default endpoints(calls, {
  addBaseMappers,
  createProviderMapper,
  deleteProviderMapper,
  enableProviderMapper,
  listMapperFields,
  listProviderMappers,
  updateProviderMapper,
})
