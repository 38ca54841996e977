import { route } from '@/lib/context/route'
import { deleteDeviceType, updateDeviceType } from '@/lib/platform/device-types/contract'
import { changeDeviceType, dropDeviceType } from '@/lib/platform/device-types/service'

export const PUT = route(updateDeviceType, changeDeviceType)
export const DELETE = route(deleteDeviceType, dropDeviceType)
