import { route } from '@/lib/context/route'
import { registrationVerify } from '@/lib/entry/registration/contract'
import { verifyRegistrationMobile } from '@/lib/entry/registration/service'

export const PUT = route(registrationVerify, verifyRegistrationMobile)
