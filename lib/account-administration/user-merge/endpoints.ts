import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { mergeUsers, previewUserMerge } from './service'

export default endpoints(calls, { mergeUsers, previewUserMerge })
