import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/domains/contract'
import * as verbs from '@/lib/platform/domains/logo'

export const PATCH = route(calls.patchDomainLogo, verbs.patchDomainLogo)
export const DELETE = route(calls.deleteDomainLogo, verbs.deleteDomainLogo)
