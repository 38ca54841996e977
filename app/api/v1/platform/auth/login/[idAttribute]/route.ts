import { route } from '@/lib/context/route'
import { authLogin } from '@/lib/entry/sign-in/contract'
import { signIn } from '@/lib/entry/sign-in/service'

export const POST = route(authLogin, signIn)
