import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { mergeUsers, previewUserMerge } from './service'

export default endpoints(calls, { mergeUsers, previewUserMerge })
