import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/colleagues/contract'
import * as verbs from '@/lib/people/colleagues/manage'

export const PUT = route(calls.changeContactRoles, verbs.changeContactRoles)
export const DELETE = route(calls.removeContact, verbs.removeContact)
