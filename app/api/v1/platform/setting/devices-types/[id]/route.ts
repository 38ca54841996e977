import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/device-types/contract'
import * as verbs from '@/lib/platform/device-types/service'

export const PUT = route(calls.updateDeviceType, verbs.updateDeviceType)
export const DELETE = route(calls.deleteDeviceType, verbs.deleteDeviceType)
