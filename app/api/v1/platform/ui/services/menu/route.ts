import { route } from '@/lib/context/route'
import { getServicesMenu } from '@/lib/platform/menu/contract'
import { servicesMenu } from '@/lib/platform/menu/service'

export const GET = route(getServicesMenu, servicesMenu)
