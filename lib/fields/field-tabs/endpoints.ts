import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { createFieldTab, deleteFieldTab, updateFieldTab } from './service'

export default endpoints(calls, { createFieldTab, deleteFieldTab, updateFieldTab })
