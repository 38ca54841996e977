import { route } from '@/lib/context/route'
import { getUserSettings, patchUserSettings } from '@/lib/profile/user-settings/contract'
import { changeUserSettings, userSettings } from '@/lib/profile/user-settings/service'

export const GET = route(getUserSettings, userSettings)
export const PATCH = route(patchUserSettings, changeUserSettings)
