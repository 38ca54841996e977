import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { getUserSettings, patchUserSettings } from './service'

export default endpoints(calls, { getUserSettings, patchUserSettings })
