import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { readUserPreview } from './service'

export default endpoints(calls, { readUserPreview })
