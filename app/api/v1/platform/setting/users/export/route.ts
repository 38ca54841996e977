import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/user-administration/contract'
import { exportUsers } from '@/lib/people/user-administration/export'

export const GET = route(calls.exportUsers, exportUsers)
