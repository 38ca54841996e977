import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/message-texts/contract'
import * as verbs from '@/lib/platform/message-texts/service'

export const POST = route(calls.previewMessageTexts, verbs.previewMessageTexts)
