import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { savePlatformSettings, saveUsersSettings } from './save'
import { readPlatformSettings, readUsersSettings } from './service'

export default endpoints(calls, { savePlatformSettings, saveUsersSettings, readPlatformSettings, readUsersSettings })
