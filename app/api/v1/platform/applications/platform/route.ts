import { route } from '@/lib/context/route'
import { getPlatformApplication } from '@/lib/platform/start-up/contract'
import { platformApplication } from '@/lib/platform/start-up/service'

export const GET = route(getPlatformApplication, platformApplication)
