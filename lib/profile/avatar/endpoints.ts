import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { deleteAvatar, getAvatar, patchAvatar, readAvatar } from './service'

export default endpoints(calls, { deleteAvatar, getAvatar, patchAvatar, readAvatar })
