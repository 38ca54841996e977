import { route } from '@/lib/context/route'
import { searchDeviceTypes } from '@/lib/platform/device-types/contract'
import { deviceTypeChoice } from '@/lib/platform/device-types/service'

export const GET = route(searchDeviceTypes, deviceTypeChoice)
