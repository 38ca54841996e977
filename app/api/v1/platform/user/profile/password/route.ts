import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/password/contract'
import * as verbs from '@/lib/profile/password/service'

export const PATCH = route(calls.changePassword, verbs.changePassword)
