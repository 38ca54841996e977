import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { listApplicationsOfUser, withdrawApplicationOfUser } from './service'

export default endpoints(calls, { listApplicationsOfUser, withdrawApplicationOfUser })
