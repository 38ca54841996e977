import { route } from '@/lib/context/route'
import * as deletion from '@/lib/profile/deletion/contract'
import * as deletionVerbs from '@/lib/profile/deletion/service'
import * as calls from '@/lib/profile/personal/contract'
import * as verbs from '@/lib/profile/personal/service'

export const GET = route(calls.getProfile, verbs.getProfile)
export const DELETE = route(deletion.deleteProfile, deletionVerbs.deleteProfile)
