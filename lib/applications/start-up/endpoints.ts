import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { getCountryCodes, getPlatformApplication, getPlatformConfiguration } from './service'

export default endpoints(calls, { getCountryCodes, getPlatformApplication, getPlatformConfiguration })
