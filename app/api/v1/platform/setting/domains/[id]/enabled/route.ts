import { route } from '@/lib/context/route'
import * as verbs from '@/lib/platform/domains/administration'
import * as calls from '@/lib/platform/domains/contract'

export const PUT = route(calls.enableDomain, verbs.enableDomain)
