import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/organizations/contract'
import * as verbs from '@/lib/people/organizations/service'

export const GET = route(calls.readOrganization, verbs.readOrganization)
export const PUT = route(calls.updateOrganization, verbs.updateOrganization)
export const DELETE = route(calls.deleteOrganization, verbs.deleteOrganization)
