import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  createRole,
  deleteRole,
  enableRole,
  listMethods,
  listRoles,
  readRole,
  roleEffect,
  searchMethods,
  searchRoles,
  updateRole,
} from './manage'

export default endpoints(calls, {
  createRole,
  deleteRole,
  enableRole,
  listMethods,
  listRoles,
  readRole,
  roleEffect,
  searchMethods,
  searchRoles,
  updateRole,
})
