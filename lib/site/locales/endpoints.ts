import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { createLocale, deleteLocale, enableLocale, listLocales, searchLocales, updateLocale } from './service'

export default endpoints(calls, { createLocale, deleteLocale, enableLocale, listLocales, searchLocales, updateLocale })
