import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { getProjectInfo } from './service'

export default endpoints(calls, { getProjectInfo })
