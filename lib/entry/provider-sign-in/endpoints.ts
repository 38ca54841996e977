import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { linkOwnProvider, listOwnProviders, unlinkOwnProvider } from './own'

export default endpoints(calls, { linkOwnProvider, listOwnProviders, unlinkOwnProvider })
