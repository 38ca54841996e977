import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { endSession, endSessions, listSessions } from './service'

export default endpoints(calls, { endSession, endSessions, listSessions })
