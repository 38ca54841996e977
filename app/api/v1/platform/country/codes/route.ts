import { route } from '@/lib/context/route'
import { getCountryCodes } from '@/lib/platform/start-up/contract'
import { countryCodes } from '@/lib/platform/start-up/service'

export const GET = route(getCountryCodes, countryCodes)
