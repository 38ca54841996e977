import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/deletion/contract'
import * as verbs from '@/lib/profile/deletion/service'

export const POST = route(calls.requestDeletionCode, verbs.requestDeletionCode)
