import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { deleteProfilePicture, patchProfilePicture } from './pictures'
import { configureProfile, deleteProfile, getProfile, readProfileDetails, updateProfile } from './service'

export default endpoints(calls, {
  deleteProfilePicture,
  patchProfilePicture,
  configureProfile,
  deleteProfile,
  getProfile,
  readProfileDetails,
  updateProfile,
})
