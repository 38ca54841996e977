import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/device/contract'
import * as verbs from '@/lib/profile/device/service'

export const POST = route(calls.reportDevice, verbs.reportDevice)
