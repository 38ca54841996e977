import { route } from '@/lib/context/route'
import * as changes from '@/lib/people/roles/changes'
import * as calls from '@/lib/people/roles/contract'

export const PUT = route(calls.enableRole, changes.enableRole)
