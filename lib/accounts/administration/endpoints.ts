import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { exportUsers } from './export'
import { enableUser, listUsers, readUser } from './service'

export default endpoints(calls, { exportUsers, enableUser, listUsers, readUser })
