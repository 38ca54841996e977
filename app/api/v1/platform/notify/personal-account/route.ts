import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/notices/contract'
import * as verbs from '@/lib/profile/notices/service'

export const GET = route(calls.listNotices, verbs.listNotices)
