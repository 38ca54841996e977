import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/invitation-import/contract'
import * as verbs from '@/lib/entry/invitation-import/service'

export const POST = route(calls.resumeInvitationImport, verbs.resumeInvitationImport)
