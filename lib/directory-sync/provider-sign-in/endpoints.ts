import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { linkOwnProvider, listOwnProviders, unlinkOwnProvider } from './own'

export default endpoints(calls, { linkOwnProvider, listOwnProviders, unlinkOwnProvider })
