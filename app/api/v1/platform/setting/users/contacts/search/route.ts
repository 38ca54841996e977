import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/contacts/contract'
import * as verbs from '@/lib/people/contacts/service'

export const GET = route(calls.searchContacts, verbs.searchContacts)
