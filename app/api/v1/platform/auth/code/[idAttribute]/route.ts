import { route } from '@/lib/context/route'
import { authCode } from '@/lib/entry/sign-in/contract'
import { requestCode } from '@/lib/entry/sign-in/service'

export const POST = route(authCode, requestCode)
