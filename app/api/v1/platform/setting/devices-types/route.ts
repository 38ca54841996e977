import { route } from '@/lib/context/route'
import { createDeviceType, listDeviceTypes } from '@/lib/platform/device-types/contract'
import { addDeviceType, deviceTypeList } from '@/lib/platform/device-types/service'

export const GET = route(listDeviceTypes, deviceTypeList)
export const POST = route(createDeviceType, addDeviceType)
