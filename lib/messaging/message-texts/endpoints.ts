import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { listMessageTexts, previewMessageTexts, readMessageTexts, writeMessageTexts } from './service'

export default endpoints(calls, { listMessageTexts, previewMessageTexts, readMessageTexts, writeMessageTexts })
