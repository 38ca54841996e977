import { endpoints } from '@/lib/kernel/http/endpoints'
import * as asked from './asked'
import * as calls from './contract'

export default endpoints(calls, asked)
