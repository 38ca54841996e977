import { route } from '@/lib/context/route'
import { retryEvent } from '@/lib/operations/events/contract'
import { retryUndelivered } from '@/lib/operations/events/service'

export const POST = route(retryEvent, retryUndelivered)
