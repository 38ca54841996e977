import { route } from '@/lib/context/route'
import { setEntryPassword } from '@/lib/entry/passwords/contract'
import { setFirstPassword } from '@/lib/entry/passwords/service'

export const PUT = route(setEntryPassword, setFirstPassword)
