import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/organizations/contract'
import * as verbs from '@/lib/people/organizations/service'

export const GET = route(calls.listOrganizations, verbs.listOrganizations)
export const POST = route(calls.createOrganization, verbs.createOrganization)
