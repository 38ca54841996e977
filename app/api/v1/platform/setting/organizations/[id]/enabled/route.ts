import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/organizations/contract'
import * as verbs from '@/lib/people/organizations/service'

export const PUT = route(calls.enableOrganization, verbs.enableOrganization)
