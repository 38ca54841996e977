import { route } from '@/lib/context/route'
import { passwordLinkStatus } from '@/lib/entry/passwords/contract'
import { recoveryStatus } from '@/lib/entry/passwords/recovery'

export const GET = route(passwordLinkStatus, recoveryStatus)
