import { route } from '@/lib/context/route'
import { deleteUser, updateUser } from '@/lib/entry/user-accounts/service'
import * as calls from '@/lib/people/user-administration/contract'
import { readUser } from '@/lib/people/user-administration/service'

const verbs = { readUser, updateUser, deleteUser }

export const GET = route(calls.readUser, verbs.readUser)
export const PUT = route(calls.updateUser, verbs.updateUser)
export const DELETE = route(calls.deleteUser, verbs.deleteUser)
