import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/user-preview/contract'
import * as verbs from '@/lib/entry/user-preview/service'

export const GET = route(calls.readUserPreview, verbs.readUserPreview)
