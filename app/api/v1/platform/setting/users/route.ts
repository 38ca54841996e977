import { route } from '@/lib/context/route'
import { createUser } from '@/lib/entry/user-accounts/service'
import * as calls from '@/lib/people/user-administration/contract'
import { listUsers } from '@/lib/people/user-administration/service'

const verbs = { listUsers, createUser }

export const GET = route(calls.listUsers, verbs.listUsers)
export const POST = route(calls.createUser, verbs.createUser)
