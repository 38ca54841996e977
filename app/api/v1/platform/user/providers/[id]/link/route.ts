import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/provider-sign-in/contract'
import * as verbs from '@/lib/entry/provider-sign-in/own'

export const POST = route(calls.linkOwnProvider, verbs.linkOwnProvider)
