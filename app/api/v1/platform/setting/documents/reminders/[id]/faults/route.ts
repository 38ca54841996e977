import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/document-campaigns/contract'
import * as verbs from '@/lib/entry/document-campaigns/service'

export const GET = route(calls.readReminderRunFaults, verbs.readReminderRunFaults)
