import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { endApplicationSession, endApplicationSessions, listApplicationSessions } from './service'

export default endpoints(calls, { endApplicationSession, endApplicationSessions, listApplicationSessions })
