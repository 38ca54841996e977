import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { createBanner, deleteBanner, listBanners, searchBanners, showBanner, updateBanner } from './service'

export default endpoints(calls, { createBanner, deleteBanner, listBanners, searchBanners, showBanner, updateBanner })
