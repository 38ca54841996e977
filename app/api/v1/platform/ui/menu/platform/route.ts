import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/menu/contract'
import * as verbs from '@/lib/platform/menu/service'

export const GET = route(calls.getPublicMenu, verbs.getPublicMenu)
