import { route } from '@/lib/context/route'
import { getPublicMenu } from '@/lib/platform/menu/contract'
import { publicMenu } from '@/lib/platform/menu/service'

export const GET = route(getPublicMenu, publicMenu)
