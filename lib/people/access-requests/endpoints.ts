import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import * as contractors from './contractors'
import * as decide from './decide'
import * as service from './service'

export default endpoints(calls, { ...contractors, ...decide, ...service })
