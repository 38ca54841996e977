import { route } from '@/lib/context/route'
import { sendInvitationCode } from '@/lib/entry/invitations/contract'
import { sendCode } from '@/lib/entry/invitations/service'

export const POST = route(sendInvitationCode, sendCode)
