import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/subscriptions/contract'
import * as verbs from '@/lib/profile/subscriptions/service'

export const GET = route(calls.getSubscriptions, verbs.getSubscriptions)
export const PUT = route(calls.putSubscriptions, verbs.putSubscriptions)
