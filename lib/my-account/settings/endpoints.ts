import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { getUserSettings, patchUserSettings } from './service'

export default endpoints(calls, { getUserSettings, patchUserSettings })
