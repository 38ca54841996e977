import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  activateDynamicField,
  activateFieldTab,
  createDynamicField,
  deleteDynamicField,
  listDynamicFields,
  listFieldTabs,
  listFieldTypes,
  orderFields,
  orderFieldTabs,
  readDynamicField,
  readFieldTab,
  searchPersonnelActionTypes,
  updateDynamicField,
} from './service'
import { activateSubtype, createSubtype, deleteSubtype, updateSubtype } from './subtypes'

export default endpoints(calls, {
  activateDynamicField,
  activateFieldTab,
  createDynamicField,
  deleteDynamicField,
  listDynamicFields,
  listFieldTabs,
  listFieldTypes,
  orderFieldTabs,
  orderFields,
  readDynamicField,
  readFieldTab,
  searchPersonnelActionTypes,
  updateDynamicField,
  activateSubtype,
  createSubtype,
  deleteSubtype,
  updateSubtype,
})
