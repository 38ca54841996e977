import { route } from '@/lib/context/route'
import { setPassword } from '@/lib/entry/passwords/contract'
import { setPasswordByLink } from '@/lib/entry/passwords/recovery'

export const PUT = route(setPassword, setPasswordByLink)
