import { route } from '@/lib/context/route'
import { entryLinkStatus } from '@/lib/entry/passwords/contract'
import { entryStatus } from '@/lib/entry/passwords/service'

export const GET = route(entryLinkStatus, entryStatus)
