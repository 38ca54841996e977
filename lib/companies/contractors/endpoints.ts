import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { mergeContractors, previewContractorMerge } from './merge'
import { setUserContractors } from './of-person'
import { listContractorInvitations, listContractorPeople } from './people'
import { deleteContractorPicture, patchContractorPicture } from './pictures'
import {
  createContractor,
  deleteContractor,
  enableContractor,
  listContractors,
  previewContractor,
  readContractor,
  searchContractors,
  updateContractor,
} from './service'

export default endpoints(calls, {
  mergeContractors,
  previewContractorMerge,
  setUserContractors,
  listContractorInvitations,
  listContractorPeople,
  deleteContractorPicture,
  patchContractorPicture,
  createContractor,
  deleteContractor,
  enableContractor,
  listContractors,
  previewContractor,
  readContractor,
  searchContractors,
  updateContractor,
})
