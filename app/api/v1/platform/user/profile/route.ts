import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/personal/contract'
import * as verbs from '@/lib/profile/personal/service'

export const GET = route(calls.getProfile, verbs.getProfile)
export const PATCH = route(calls.updateProfile, verbs.updateProfile)
export const DELETE = route(calls.deleteProfile, verbs.deleteProfile)
