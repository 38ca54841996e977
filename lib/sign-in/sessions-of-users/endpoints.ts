import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { endUserSessions, listUserSessions } from './service'

export default endpoints(calls, { endUserSessions, listUserSessions })
