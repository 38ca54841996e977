import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/passwords/contract'
import * as verbs from '@/lib/entry/passwords/recovery'

export const PUT = route(calls.setPassword, verbs.setPassword)
