import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/message-texts/contract'
import * as verbs from '@/lib/platform/message-texts/service'

export const GET = route(calls.readMessageTexts, verbs.readMessageTexts)
export const PUT = route(calls.writeMessageTexts, verbs.writeMessageTexts)
