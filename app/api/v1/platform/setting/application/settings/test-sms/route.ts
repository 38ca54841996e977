import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/test-messages/contract'
import * as verbs from '@/lib/platform/test-messages/service'

export const POST = route(calls.sendTestSms, verbs.sendTestSms)
