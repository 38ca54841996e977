'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { snackbar } from '@/components/ui/snackbar'
import { authCalls } from '@/lib/entry/sign-in/calls'
import { call } from '@/lib/kernel/http/client'

export function SignOut() {
  const t = useTranslations('common')
  const [pending, setPending] = useState(false)
  const signOut = async () => {
    if (pending) return
    setPending(true)
    try {
      await call(authLogout, undefined)
      window.location.assign('/platform/login')
    } catch {
      setPending(false)
      snackbar.error('logoutError')
    }
  }
  return (
    <Button variant="secondary" size="S" pending={pending} onClick={signOut}>
      {t('signOut')}
    </Button>
  )
}
