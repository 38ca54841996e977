import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { deleteProfilePicture, patchProfilePicture } from './pictures'
import { configureProfile, getProfile, readProfileDetails, updateProfile } from './service'

export default endpoints(calls, {
  deleteProfilePicture,
  patchProfilePicture,
  configureProfile,
  getProfile,
  readProfileDetails,
  updateProfile,
})
