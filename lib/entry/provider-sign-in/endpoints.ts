import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import * as own from './own'

export default endpoints(calls, own)
