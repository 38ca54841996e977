import { endpoints } from '@/lib/kernel/http/endpoints'
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
