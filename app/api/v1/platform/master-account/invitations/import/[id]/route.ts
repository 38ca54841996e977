import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/invitation-import/contract'
import * as verbs from '@/lib/entry/invitation-import/service'

export const GET = route(calls.readInvitationImport, verbs.readInvitationImport)
