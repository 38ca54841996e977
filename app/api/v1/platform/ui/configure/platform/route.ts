import { route } from '@/lib/context/route'
import { getPlatformConfiguration } from '@/lib/platform/start-up/contract'
import { platformConfiguration } from '@/lib/platform/start-up/service'

export const GET = route(getPlatformConfiguration, platformConfiguration)
