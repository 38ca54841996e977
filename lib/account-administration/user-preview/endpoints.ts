import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { readUserPreview } from './service'

export default endpoints(calls, { readUserPreview })
