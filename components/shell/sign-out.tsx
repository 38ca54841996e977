'use client'

import type { ComponentProps } from 'react'
import { Button } from '../ui/button'
import { useSignOut } from './use-sign-out'

type Props = { label: string; failed: string; to?: string } & Pick<ComponentProps<typeof Button>, 'size'>

/** Signs this browser out and opens `to`; shows `failed` after a failure. */
export function SignOut({ label, failed, to, size = 'S' }: Props) {
  const { pending, signOut } = useSignOut(failed, to)
  return (
    <Button variant="secondary" size={size} pending={pending} onClick={signOut}>
      {label}
    </Button>
  )
}
