import { endpoints } from '@/lib/kernel/http/endpoints'
import * as administration from './administration'
import * as calls from './contract'
import * as logo from './logo'

export default endpoints(calls, { ...administration, ...logo })
