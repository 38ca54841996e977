import { endpoints } from '@/lib/kernel/http/endpoints'
import {
  createDomain,
  deleteDomain,
  enableDomain,
  listDomains,
  listStyleTemplates,
  readBaseSettings,
  readDomain,
  searchDomains,
  updateDomain,
} from './administration'
import * as calls from './contract'
import * as logo from './logo'

export default endpoints(calls, {
  createDomain,
  deleteDomain,
  enableDomain,
  listDomains,
  listStyleTemplates,
  readBaseSettings,
  readDomain,
  searchDomains,
  updateDomain,
  ...logo,
})
