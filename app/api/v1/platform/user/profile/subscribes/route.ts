import { route } from '@/lib/context/route'
import { getSubscriptions, putSubscriptions } from '@/lib/profile/subscriptions/contract'
import * as verbs from '@/lib/profile/subscriptions/service'

export const GET = route(getSubscriptions, verbs.getSubscriptions)
export const PUT = route(putSubscriptions, verbs.putSubscriptions)
