import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/provider-sign-in/contract'
import * as verbs from '@/lib/entry/provider-sign-in/own'

export const DELETE = route(calls.unlinkOwnProvider, verbs.unlinkOwnProvider)
