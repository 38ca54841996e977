'use client'

import { LogOut } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { cn } from '../ui/cn'
import { Spinner } from '../ui/spinner'
import { menuWords } from './menu-classes'
import { useSignOut } from './use-sign-out'

/** Signs out: an icon in the header, with a label if there is room. */
export function SignOutEntry({ word = false, className }: { word?: boolean; className: string }) {
  const t = useTranslations('common')
  const { pending, signOut } = useSignOut(t('signOutFailed'))
  return (
    <button
      type="button"
      onClick={signOut}
      aria-busy={pending || undefined}
      aria-label={word ? undefined : t('signOut')}
      title={word ? undefined : t('signOut')}
      data-tip={t('signOut')}
      className={cn('cursor-pointer', className)}
    >
      {pending ? <Spinner /> : <LogOut aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />}
      {word ? <span className={menuWords}>{t('signOut')}</span> : null}
    </button>
  )
}
