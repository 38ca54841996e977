import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/notify-methods/contract'
import * as verbs from '@/lib/people/notify-methods/service'

export const PUT = route(calls.enableNotifyMethod, verbs.enableNotifyMethod)
