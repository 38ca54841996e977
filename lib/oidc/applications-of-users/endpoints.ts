import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { listApplicationsOfUser, withdrawApplicationOfUser } from './service'

export default endpoints(calls, { listApplicationsOfUser, withdrawApplicationOfUser })
