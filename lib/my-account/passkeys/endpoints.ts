import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { addPasskey, listOwnPasskeys, removePasskey, renamePasskey, startPasskey } from './service'

export default endpoints(calls, { addPasskey, listOwnPasskeys, removePasskey, renamePasskey, startPasskey })
