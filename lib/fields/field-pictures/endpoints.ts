import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { readFieldPicture } from './service'

export default endpoints(calls, { readFieldPicture })
