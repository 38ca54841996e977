import { endpoints } from '@/lib/base/http/endpoints'
import { bulkUsers } from './bulk'
import * as calls from './contract'
import { createUser, deleteUser, sendEntryLink, updateUser } from './service'

export default endpoints(calls, { bulkUsers, createUser, deleteUser, sendEntryLink, updateUser })
