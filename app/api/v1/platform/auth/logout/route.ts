import { route } from '@/lib/context/route'
import { authLogout } from '@/lib/entry/sign-in/contract'
import { signOut } from '@/lib/entry/sign-in/service'

export const POST = route(authLogout, signOut)
