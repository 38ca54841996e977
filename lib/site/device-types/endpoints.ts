import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { createDeviceType, deleteDeviceType, listDeviceTypes, searchDeviceTypes, updateDeviceType } from './service'

export default endpoints(calls, {
  createDeviceType,
  deleteDeviceType,
  listDeviceTypes,
  searchDeviceTypes,
  updateDeviceType,
})
