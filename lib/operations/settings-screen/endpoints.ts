import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { savePlatformSettings, saveUsersSettings } from './save'
import { readPlatformSettings, readUsersSettings } from './service'

export default endpoints(calls, { savePlatformSettings, saveUsersSettings, readPlatformSettings, readUsersSettings })
