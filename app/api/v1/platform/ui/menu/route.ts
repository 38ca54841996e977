import { route } from '@/lib/context/route'
import { getMenu } from '@/lib/platform/menu/contract'
import { userMenu } from '@/lib/platform/menu/service'

export const GET = route(getMenu, userMenu)
