'use client'

import { useState } from 'react'
import { call } from '@/lib/base/http/client'
import type { authLogout } from '@/lib/sign-in/attempts/contract'
import { authPaths } from '@/lib/sign-in/attempts/paths'
import { leaveThen, markSigningOut } from '../ui/leaving'
import { snackbar } from '../ui/snackbar'

/** Signs this browser out and opens `to`; asks first if unsaved input would be lost. Shows `failed` after a failure. */
export function useSignOut(failed: string, to = '/platform/login') {
  const [pending, setPending] = useState(false)
  const leave = async () => {
    setPending(true)
    markSigningOut(true)
    try {
      const { leads } = await call<typeof authLogout>(authPaths.logout)
      window.location.assign(leads ?? to)
    } catch {
      setPending(false)
      markSigningOut(false)
      void snackbar.error(failed)
    }
  }
  const signOut = () => {
    if (!pending) leaveThen(() => void leave())
  }
  return { pending, signOut }
}
