import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/user-import/contract'
import * as verbs from '@/lib/entry/user-import/service'

export const POST = route(calls.stopUserImport, verbs.stopUserImport)
