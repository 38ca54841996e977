import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { listSignIns } from './service'

export default endpoints(calls, { listSignIns })
