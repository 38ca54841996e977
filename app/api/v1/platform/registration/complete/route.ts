import { route } from '@/lib/context/route'
import { completeRegistration } from '@/lib/entry/registration/complete'
import { registrationComplete } from '@/lib/entry/registration/contract'

export const POST = route(registrationComplete, completeRegistration)
