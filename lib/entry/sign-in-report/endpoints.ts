import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { reportSignIn } from './service'

export default endpoints(calls, { reportSignIn })
