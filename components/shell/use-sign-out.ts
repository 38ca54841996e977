'use client'

import { useState } from 'react'
import type { authLogout } from '@/lib/entry/sign-in/contract'
import { authPaths } from '@/lib/entry/sign-in/paths'
import { call } from '@/lib/kernel/http/client'
import { leaveThen, markSigningOut } from '../ui/leaving'
import { snackbar } from '../ui/snackbar'

/** Signs this browser out and opens `to`; asks first if unsaved input would be lost. Shows `failed` if that failed. */
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
