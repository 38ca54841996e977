import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import { listMessageTexts, previewMessageTexts, readMessageTexts, writeMessageTexts } from './service'

export default endpoints(calls, { listMessageTexts, previewMessageTexts, readMessageTexts, writeMessageTexts })
