import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { passwordLink, passwordLinkStatus, setPassword } from './recovery'
import { resetUserPassword } from './reset'
import { entryLinkStatus, setEntryPassword } from './service'

export default endpoints(calls, {
  passwordLink,
  passwordLinkStatus,
  setPassword,
  resetUserPassword,
  entryLinkStatus,
  setEntryPassword,
})
