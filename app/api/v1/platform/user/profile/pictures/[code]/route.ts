import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/personal/contract'
import * as verbs from '@/lib/profile/personal/pictures'

export const PATCH = route(calls.patchProfilePicture, verbs.patchProfilePicture)
export const DELETE = route(calls.deleteProfilePicture, verbs.deleteProfilePicture)
