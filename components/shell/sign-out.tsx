'use client'

import { type ComponentProps, useState } from 'react'
import type { authLogout } from '@/lib/entry/sign-in/contract'
import { authPaths } from '@/lib/entry/sign-in/paths'
import { call } from '@/lib/kernel/http/client'
import { Button } from '../ui/button'
import { snackbar } from '../ui/snackbar'

type Props = { label: string; failed: string; to?: string } & Pick<ComponentProps<typeof Button>, 'size'>

/** Signs this browser out and leads on; `failed` is said when that didn't work. */
export function SignOut({ label, failed, to = '/platform/login', size = 'S' }: Props) {
  const [pending, setPending] = useState(false)
  const signOut = async () => {
    if (pending) return
    setPending(true)
    try {
      await call<typeof authLogout>(authPaths.logout)
      window.location.assign(to)
    } catch {
      setPending(false)
      void snackbar.error(failed)
    }
  }
  return (
    <Button variant="secondary" size={size} pending={pending} onClick={signOut}>
      {label}
    </Button>
  )
}
