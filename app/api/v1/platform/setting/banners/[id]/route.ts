import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/banners/contract'
import * as verbs from '@/lib/platform/banners/service'

export const PUT = route(calls.updateBanner, verbs.updateBanner)
export const DELETE = route(calls.deleteBanner, verbs.deleteBanner)
