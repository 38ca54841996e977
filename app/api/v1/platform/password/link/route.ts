import { route } from '@/lib/context/route'
import { passwordLink } from '@/lib/entry/passwords/contract'
import { requestRecovery } from '@/lib/entry/passwords/recovery'

export const POST = route(passwordLink, requestRecovery)
