import { endpoints } from '@/lib/base/http/endpoints'
import { authPasskey, passkeyOptions } from './by-passkey'
import * as calls from './contract'
import { authCode, authConfig, authLogin, authLogout } from './service'

export default endpoints(calls, { authCode, authConfig, authLogin, authLogout, authPasskey, passkeyOptions })
