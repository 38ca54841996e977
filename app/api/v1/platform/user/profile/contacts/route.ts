import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/colleagues/contract'
import * as verbs from '@/lib/people/colleagues/service'

export const GET = route(calls.listContacts, verbs.listContacts)
