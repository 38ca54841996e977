import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/user-administration/contract'
import * as verbs from '@/lib/people/user-administration/export'

export const GET = route(calls.exportUsers, verbs.exportUsers)
