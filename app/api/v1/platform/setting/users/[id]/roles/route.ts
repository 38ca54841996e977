import { route } from '@/lib/context/route'
import * as verbs from '@/lib/people/role-holders/of-person'
import * as calls from '@/lib/people/user-administration/contract'

export const PUT = route(calls.setUserRoles, verbs.setUserRoles)
