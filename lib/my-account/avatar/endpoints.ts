import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { deleteAvatar, getAvatar, patchAvatar, readAvatar } from './service'

export default endpoints(calls, { deleteAvatar, getAvatar, patchAvatar, readAvatar })
