import { route } from '@/lib/context/route'
import { getPublicSettings } from '@/lib/people/public-settings/contract'
import { publicSettings } from '@/lib/people/public-settings/service'

export const GET = route(getPublicSettings, publicSettings)
