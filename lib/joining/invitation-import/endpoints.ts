import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  checkInvitationImport,
  listInvitationImports,
  readInvitationImport,
  readInvitationImportFaults,
  resumeInvitationImport,
  startInvitationImport,
  stopInvitationImport,
} from './service'

export default endpoints(calls, {
  checkInvitationImport,
  listInvitationImports,
  readInvitationImport,
  readInvitationImportFaults,
  resumeInvitationImport,
  startInvitationImport,
  stopInvitationImport,
})
