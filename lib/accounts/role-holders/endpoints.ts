import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { setUserRoles } from './of-person'
import { addHolders, listHolders, removeHolder, searchRolePlaces } from './service'

export default endpoints(calls, { setUserRoles, addHolders, listHolders, removeHolder, searchRolePlaces })
