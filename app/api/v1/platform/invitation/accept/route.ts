import { route } from '@/lib/context/route'
import { accept } from '@/lib/entry/invitations/accept'
import { acceptInvitation } from '@/lib/entry/invitations/contract'

export const POST = route(acceptInvitation, accept)
