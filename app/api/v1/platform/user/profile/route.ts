import { route } from '@/lib/context/route'
import { getProfile } from '@/lib/profile/personal/contract'
import { profileOf } from '@/lib/profile/personal/service'

export const GET = route(getProfile, profileOf)
