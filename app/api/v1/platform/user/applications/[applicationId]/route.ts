import { route } from '@/lib/context/route'
import { withdrawUserApplication } from '@/lib/oidc/consents/contract'
import { withdrawApplication } from '@/lib/oidc/consents/service'

export const DELETE = route(withdrawUserApplication, withdrawApplication)
