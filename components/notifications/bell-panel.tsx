'use client'

import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { type ReactElement, useEffect, useState } from 'react'
import type { LastNotices } from '@/lib/news/notifications/contract'
import { Button } from '../ui/button'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover'
import { Spinner } from '../ui/spinner'
import { useAskedBy } from '../ui/use-later'
import { noticesChanged } from './feed'
import { NoticeList } from './notice-list'
import { ReadAll } from './read-all'

type Props = { last: LastNotices | 'failed' | null; unread: number; trigger: ReactElement }

/** The last notifications, in a panel beside the bell. */
export function BellPanel({ last, unread, trigger }: Props) {
  const t = useTranslations('notices')
  const [open, setOpen] = useState(useAskedBy() !== null)
  useEffect(() => {
    if (open) noticesChanged()
  }, [open])
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>{trigger}</PopoverTrigger>
      <PopoverContent align="end" aria-label={t('title')} className="w-96">
        <div className="flex min-h-13 items-center justify-between gap-3 border-line border-b py-1.5 pr-2 pl-4">
          <h2 className="font-semibold">{t('title')}</h2>
          {unread > 0 ? <ReadAll /> : null}
        </div>
        <div className="max-h-[min(26rem,60dvh)] overflow-y-auto">
          {last === null ? (
            <div className="flex min-h-24 items-center justify-center">
              <Spinner />
            </div>
          ) : last === 'failed' ? (
            <div className="grid justify-items-start gap-3 p-4 text-table">
              <p>{t('failed')}</p>
              <Button variant="secondary" size="S" onClick={noticesChanged}>
                {t('retry')}
              </Button>
            </div>
          ) : last.notices.length > 0 ? (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the links inside do the work, this only closes the panel
            // biome-ignore lint/a11y/noStaticElementInteractions: as above
            <div onClick={({ target }) => (target as Element).closest('a') && setOpen(false)}>
              <NoticeList bare notices={last.notices} />
            </div>
          ) : (
            <p className="px-4 py-8 text-center text-ink-second text-table">{t('emptyShort')}</p>
          )}
        </div>
        <Link
          href="/platform/notify"
          prefetch={false}
          onClick={() => setOpen(false)}
          className="flex min-h-11 items-center justify-center border-line border-t text-brand text-table outline-offset-[-2px]! hover:bg-sunken"
        >
          {t('all')}
        </Link>
      </PopoverContent>
    </Popover>
  )
}
