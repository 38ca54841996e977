import { route } from '@/lib/context/route'
import { listUndelivered } from '@/lib/operations/events/contract'
import { undeliveredList } from '@/lib/operations/events/service'

export const GET = route(listUndelivered, undeliveredList)
