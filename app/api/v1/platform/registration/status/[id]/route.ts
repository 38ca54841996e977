import { route } from '@/lib/context/route'
import { registrationStatus } from '@/lib/entry/registration/contract'
import { registrationLinkStatus } from '@/lib/entry/registration/service'

export const GET = route(registrationStatus, registrationLinkStatus)
