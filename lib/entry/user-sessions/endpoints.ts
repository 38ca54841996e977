import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { endSession, endSessions, listSessions } from './service'

export default endpoints(calls, { endSession, endSessions, listSessions })
