import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { changeContactRoles, previewRemoval, removeContact } from './manage'
import * as service from './service'

export default endpoints(calls, { changeContactRoles, previewRemoval, removeContact, ...service })
