import { endpoints } from '@/lib/kernel/http/endpoints'
import * as complete from './complete'
import * as calls from './contract'
import * as requestLink from './request-link'
import * as service from './service'

export default endpoints(calls, { ...complete, ...requestLink, ...service })
