import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/user-ties/contract'
import * as verbs from '@/lib/entry/user-ties/service'

export const DELETE = route(calls.forgetUserBrowser, verbs.forgetUserBrowser)
