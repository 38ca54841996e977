import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/settings/contract'
import * as verbs from '@/lib/people/settings/service'

export const GET = route(calls.readUsersSettings, verbs.readUsersSettings)
