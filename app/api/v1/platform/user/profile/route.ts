import { route } from '@/lib/context/route'
import { deleteProfile } from '@/lib/profile/deletion/service'
import { updateProfile } from '@/lib/profile/personal/change'
import * as calls from '@/lib/profile/personal/contract'
import * as verbs from '@/lib/profile/personal/service'

export const GET = route(calls.getProfile, verbs.getProfile)
export const PATCH = route(calls.updateProfile, updateProfile)
export const DELETE = route(calls.deleteProfile, deleteProfile)
