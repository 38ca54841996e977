import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/banners/contract'
import * as verbs from '@/lib/platform/banners/service'

export const GET = route(calls.listBanners, verbs.listBanners)
export const POST = route(calls.createBanner, verbs.createBanner)
