import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { getMenu, getPublicMenu, getServicesMenu } from './service'

export default endpoints(calls, { getMenu, getPublicMenu, getServicesMenu })
