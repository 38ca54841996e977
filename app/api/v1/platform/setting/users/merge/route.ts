import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/user-merge/contract'
import * as verbs from '@/lib/entry/user-merge/service'

export const GET = route(calls.previewUserMerge, verbs.previewUserMerge)
export const POST = route(calls.mergeUsers, verbs.mergeUsers)
