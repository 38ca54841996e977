import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  checkUserImport,
  listUserImports,
  readImportColumns,
  readUserImport,
  readUserImportFaults,
  resumeUserImport,
  startUserImport,
  stopUserImport,
} from './service'

export default endpoints(calls, {
  checkUserImport,
  listUserImports,
  readImportColumns,
  readUserImport,
  readUserImportFaults,
  resumeUserImport,
  startUserImport,
  stopUserImport,
})
