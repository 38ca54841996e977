import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { readFieldPicture } from './service'

export default endpoints(calls, { readFieldPicture })
