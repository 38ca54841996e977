import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { reportSignIn } from './service'

export default endpoints(calls, { reportSignIn })
