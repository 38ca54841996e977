import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { getProjectInfo } from './service'

export default endpoints(calls, { getProjectInfo })
