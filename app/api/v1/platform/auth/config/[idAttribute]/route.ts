import { route } from '@/lib/context/route'
import { authConfig } from '@/lib/entry/sign-in/contract'
import { beginSignIn } from '@/lib/entry/sign-in/service'

export const GET = route(authConfig, beginSignIn)
