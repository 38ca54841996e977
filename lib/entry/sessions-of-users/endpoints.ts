import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { endUserSessions, listUserSessions } from './service'

export default endpoints(calls, { endUserSessions, listUserSessions })
