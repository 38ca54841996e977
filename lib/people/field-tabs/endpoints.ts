import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { createFieldTab, deleteFieldTab, updateFieldTab } from './service'

export default endpoints(calls, { createFieldTab, deleteFieldTab, updateFieldTab })
