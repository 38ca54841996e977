import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import * as recovery from './recovery'
import * as reset from './reset'
import * as service from './service'

export default endpoints(calls, { ...recovery, ...reset, ...service })
