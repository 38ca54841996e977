import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import * as service from './service'
import * as subtypes from './subtypes'

export default endpoints(calls, { ...service, ...subtypes })
