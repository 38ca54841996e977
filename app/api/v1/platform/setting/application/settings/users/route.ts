import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/settings/contract'
import * as verbs from '@/lib/people/settings/save'

export const PATCH = route(calls.saveUsersSettings, verbs.saveUsersSettings)
