import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { listSignIns } from './service'

export default endpoints(calls, { listSignIns })
