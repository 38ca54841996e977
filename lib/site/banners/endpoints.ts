import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { createBanner, deleteBanner, listBanners, searchBanners, showBanner, updateBanner } from './service'

export default endpoints(calls, { createBanner, deleteBanner, listBanners, searchBanners, showBanner, updateBanner })
