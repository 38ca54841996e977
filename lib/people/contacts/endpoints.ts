import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { searchContacts } from './service'

export default endpoints(calls, { searchContacts })
