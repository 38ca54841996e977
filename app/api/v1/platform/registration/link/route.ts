import { route } from '@/lib/context/route'
import { registrationLink } from '@/lib/entry/registration/contract'
import { requestRegistrationLink } from '@/lib/entry/registration/request-link'

export const POST = route(registrationLink, requestRegistrationLink)
