import { endpoints } from '@/lib/base/http/endpoints'
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
import { deleteDomainLogo, patchDomainLogo } from './logo'

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
  deleteDomainLogo,
  patchDomainLogo,
})
