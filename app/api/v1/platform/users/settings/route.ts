import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/user-settings/contract'
import * as verbs from '@/lib/profile/user-settings/service'

export const GET = route(calls.getUserSettings, verbs.getUserSettings)
export const PATCH = route(calls.patchUserSettings, verbs.patchUserSettings)
