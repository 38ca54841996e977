import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/device-types/contract'
import * as verbs from '@/lib/platform/device-types/service'

export const GET = route(calls.searchDeviceTypes, verbs.searchDeviceTypes)
