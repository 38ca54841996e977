import { route } from '@/lib/context/route'
import { verifyInvitationMobile } from '@/lib/entry/invitations/contract'
import { verifyMobile } from '@/lib/entry/invitations/service'

export const PUT = route(verifyInvitationMobile, verifyMobile)
