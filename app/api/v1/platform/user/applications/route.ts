import { route } from '@/lib/context/route'
import { listUserApplications } from '@/lib/oidc/consents/contract'
import { userApplications } from '@/lib/oidc/consents/service'

export const GET = route(listUserApplications, userApplications)
