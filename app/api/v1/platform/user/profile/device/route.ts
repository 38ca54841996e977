import { route } from '@/lib/context/route'
import { reportDevice } from '@/lib/profile/device/contract'
import { keepDevice } from '@/lib/profile/device/service'

export const POST = route(reportDevice, keepDevice)
