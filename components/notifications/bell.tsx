'use client'

import { Bell as BellIcon } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import type { LastNotices } from '@/lib/news/notifications/contract'
import { AskedByContext, useLater } from '../ui/use-later'
import { followNotices } from './feed'
import { noticeText } from './notice-text'

const load = () => import('./bell-panel').then(({ BellPanel }) => BellPanel)

/**
 * The button of the bell; its badge is positioned over it, so that nothing moves when the first notification arrives.
 */
function BellButton({ unread, ...rest }: ComponentProps<'button'> & { unread: number }) {
  const t = useTranslations('notices')
  const label = unread > 0 ? t('bellUnread', { count: unread }) : t('bell')
  return (
    <button
      aria-haspopup="dialog"
      aria-expanded={false}
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className="relative flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-control text-ink-second transition-colors hover:bg-sunken hover:text-ink sm:pointer-fine:size-9"
    >
      <BellIcon aria-hidden="true" strokeWidth={1.75} className="size-5" />
      {unread > 0 ? (
        <span
          aria-hidden="true"
          className="absolute top-1 left-1/2 min-w-4 rounded-pill bg-brand px-1 text-center font-semibold text-[0.625rem] text-brand-ink leading-4 tabular-nums sm:pointer-fine:top-0"
        >
          {unread > 99 ? t('many') : unread}
        </span>
      ) : null}
    </button>
  )
}

/**
 * The bell in the header: the number of unread notifications, kept up to date while the page is open, and the last
 * ones.
 */
export function Bell({ unread: before, newest }: { unread: number; newest: string | null }) {
  const t = useTranslations('notices')
  const locale = useLocale()
  const [notifications, setNotifications] = useState<LastNotices | 'failed' | null>(null)
  const [arrived, setArrived] = useState('')
  const { Part, asked, wake } = useLater(load)
  const lastNewest = useRef(newest)
  useEffect(
    () =>
      followNotices((latest) => {
        setNotifications((previous) => (latest === 'failed' && previous !== null ? previous : latest))
        if (latest === 'failed') return
        const [first] = latest.notices
        if (first && first.id !== lastNewest.current && !first.read)
          setArrived(t('arrived', { title: noticeText(t, locale, first).title }))
        lastNewest.current = first?.id ?? null
      }),
    [t, locale],
  )
  const unread = notifications === null || notifications === 'failed' ? before : notifications.unread
  return (
    <>
      <span role="status" className="sr-only">
        {arrived}
      </span>
      {Part ? (
        <AskedByContext value={asked}>
          <Part last={notifications} unread={unread} trigger={<BellButton unread={unread} />} />
        </AskedByContext>
      ) : (
        <BellButton unread={unread} {...wake} />
      )}
    </>
  )
}
