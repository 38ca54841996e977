import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { lastNotices, listNotices, readNotices } from './service'

export default endpoints(calls, { lastNotices, listNotices, readNotices })
