import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { changeContactRoles, previewRemoval, removeContact } from './manage'
import { listContacts, readContact } from './service'

export default endpoints(calls, { changeContactRoles, previewRemoval, removeContact, listContacts, readContact })
