'use client'

import Link from 'next/link'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Notice } from '@/lib/news/notifications/contract'
import { cn } from '../ui/cn'
import { DateTime } from '../ui/date-time'
import { IconButton } from '../ui/icon-button'
import { Check } from '../ui/icons'
import { useNotice } from '../ui/use-notice'
import { markRead } from './feed'
import { NoticeMark } from './notice-mark'
import { noticeText } from './notice-text'

type Props = {
  notices: readonly Notice[]
  /** In the bell's panel: without a border of its own. */
  bare?: boolean
  /** Marks one as read; by default by a call to the platform. */
  read?: (id: string) => Promise<void>
}

/** Notifications, the newest first: whether each is unread, its text, its time, and its link. */
export function NoticeList({ notices, bare = false, read = markRead }: Props) {
  const t = useTranslations('notices')
  const locale = useLocale()
  const notice = useNotice()
  // shown as read at once; the refreshed list confirms it
  const [marked, setMarked] = useState<readonly string[]>([])
  const mark = (id: string) => {
    setMarked((before) => [...before, id])
    read(id).catch(() => {
      setMarked((before) => before.filter((each) => each !== id))
      void notice({ type: 'error', text: 'noticesReadError' })
    })
  }
  return (
    <ul className={cn('divide-y divide-line', !bare && 'overflow-clip rounded-card border border-line bg-surface')}>
      {notices.map(({ id, kind, link, date, read: isRead, ...rest }) => {
        const { title, text } = noticeText(t, locale, { kind, ...rest })
        const unread = !isRead && !marked.includes(id)
        return (
          <li
            key={id}
            className={cn(
              'relative flex gap-3 px-4 py-3.5 transition-colors hover:bg-sunken',
              !bare && '@min-[40rem]:gap-4 @min-[40rem]:px-5',
            )}
          >
            <NoticeMark kind={kind} unread={unread} />
            <div className="grid min-w-0 grow content-start gap-0.5">
              <div
                className={cn(
                  'grid justify-items-start gap-x-4',
                  // beside the title of every notification or of none
                  !bare && '@min-[40rem]:grid-cols-[minmax(0,1fr)_auto] @min-[40rem]:items-baseline',
                )}
              >
                <Link
                  href={link}
                  prefetch={false}
                  onClick={unread ? () => mark(id) : undefined}
                  className={cn('text-table after:absolute after:inset-0', unread ? 'font-semibold' : 'font-medium')}
                >
                  {unread ? <span className="sr-only">{t('unread')}: </span> : null}
                  {title}
                </Link>
                <span className="text-ink-second text-note">
                  <DateTime value={date} />
                </span>
              </div>
              <p className={cn('wrap-anywhere whitespace-pre-line text-ink-second text-note', bare && 'line-clamp-3')}>
                {text}
              </p>
            </div>
            <span className="relative z-1 -my-1.5 -mr-2 flex size-11 shrink-0 items-center justify-center pointer-fine:size-9">
              {unread ? (
                <IconButton label={t('readNamed', { title })} quiet title={t('read')} onClick={() => mark(id)}>
                  <Check className="size-4.5" />
                </IconButton>
              ) : null}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
