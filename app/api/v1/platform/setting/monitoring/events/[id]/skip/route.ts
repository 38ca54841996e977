import { route } from '@/lib/context/route'
import { skipEvent } from '@/lib/operations/events/contract'
import { skipUndelivered } from '@/lib/operations/events/service'

export const POST = route(skipEvent, skipUndelivered)
