import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/address-limits/contract'
import * as verbs from '@/lib/entry/address-limits/service'

export const GET = route(calls.readAddressLimits, verbs.readAddressLimits)
export const DELETE = route(calls.liftAddressLimits, verbs.liftAddressLimits)
