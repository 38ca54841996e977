import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { getMenu, getPublicMenu, getServicesMenu } from './service'

export default endpoints(calls, { getMenu, getPublicMenu, getServicesMenu })
