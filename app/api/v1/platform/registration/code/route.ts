import { route } from '@/lib/context/route'
import { registrationCode } from '@/lib/entry/registration/contract'
import { requestRegistrationCode } from '@/lib/entry/registration/service'

export const POST = route(registrationCode, requestRegistrationCode)
