import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { exportUsers } from './export'
import { enableUser, listUsers, readUser } from './service'

export default endpoints(calls, { exportUsers, enableUser, listUsers, readUser })
