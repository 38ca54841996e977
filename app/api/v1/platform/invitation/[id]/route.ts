import { route } from '@/lib/context/route'
import { declineInvitation, readInvitation } from '@/lib/entry/invitations/contract'
import { decline, invitationView } from '@/lib/entry/invitations/service'

export const GET = route(readInvitation, invitationView)
export const DELETE = route(declineInvitation, decline)
