import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/avatar/contract'
import * as verbs from '@/lib/profile/avatar/service'

export const GET = route(calls.getAvatar, verbs.getAvatar)
export const PATCH = route(calls.patchAvatar, verbs.patchAvatar)
export const DELETE = route(calls.deleteAvatar, verbs.deleteAvatar)
