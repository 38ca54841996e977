import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/sign-in/contract'
import * as verbs from '@/lib/entry/sign-in/service'

export const POST = route(calls.authLogout, verbs.authLogout)
