import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { searchContacts } from './service'

export default endpoints(calls, { searchContacts })
