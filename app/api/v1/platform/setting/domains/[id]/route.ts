import { route } from '@/lib/context/route'
import * as verbs from '@/lib/platform/domains/administration'
import * as calls from '@/lib/platform/domains/contract'

export const GET = route(calls.readDomain, verbs.readDomain)
export const PUT = route(calls.updateDomain, verbs.updateDomain)
export const DELETE = route(calls.deleteDomain, verbs.deleteDomain)
