import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { notificationMark } from '@/components/notifications/feed'
import { FreshList } from '@/components/notifications/fresh-list'
import { NoticeLink } from '@/components/notifications/notice-link'
import { NoticeMark } from '@/components/notifications/notice-mark'
import { noticeText } from '@/components/notifications/notice-text'
import { buttonClasses } from '@/components/ui/button-classes'
import { cn } from '@/components/ui/cn'
import { DateTime } from '@/components/ui/date-time'
import type { Ctx } from '@/lib/base/context/ctx'
import type { Notice } from '@/lib/news/notifications/contract'
import { lastNotices } from '@/lib/news/notifications/service'
import { projectInfo } from '@/lib/site/project-info/service'

const mostShown = 3

/** The last notifications, kept up to date while the page is open; nothing if the platform has no bell. */
export async function RecentNotices({ ctx }: { ctx: Ctx }) {
  const [t, { uiSettings }, lastNotifications] = await Promise.all([
    getTranslations('notices'),
    projectInfo(ctx.domain),
    lastNotices(ctx),
  ])
  if (!uiSettings.localNotifies) return null
  return (
    <>
      {lastNotifications.notices.length > 0 ? (
        <CardGroup
          title={t('recent')}
          action={
            <Link
              href="/platform/notify"
              prefetch={false}
              className={buttonClasses({ variant: 'secondary', size: 'S' })}
            >
              {t('all')}
            </Link>
          }
        >
          <ul className="divide-y divide-line overflow-clip rounded-card border border-line bg-surface">
            {lastNotifications.notices.slice(0, mostShown).map((notice) => (
              <Row key={notice.id} notice={notice} locale={ctx.locale} />
            ))}
          </ul>
        </CardGroup>
      ) : null}
      <FreshList mark={notificationMark(lastNotifications)} />
    </>
  )
}

/**
 * One notification, rendered on the server: the list with its buttons would enlarge what the page sends by a seventh.
 */
function Row({ notice, locale }: { notice: Notice; locale: string }) {
  const t = useTranslations('notices')
  const { title, text } = noticeText(t, locale, notice)
  const unread = !notice.read
  return (
    <li className="relative flex gap-3 px-4 py-3.5 transition-colors hover:bg-sunken">
      <NoticeMark kind={notice.kind} unread={unread} />
      <div className="grid min-w-0 grow content-start gap-0.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <NoticeLink
            id={notice.id}
            unread={unread}
            href={notice.link}
            className={cn(
              'text-table outline-offset-[-2px]! after:absolute after:inset-0',
              unread ? 'font-semibold' : 'font-medium',
            )}
          >
            {unread ? <span className="sr-only">{t('unread')}: </span> : null}
            {title}
          </NoticeLink>
          <span className="text-ink-second text-note">
            <DateTime value={notice.date} />
          </span>
        </div>
        <p className="wrap-anywhere line-clamp-3 whitespace-pre-line text-ink-second text-note">{text}</p>
      </div>
    </li>
  )
}
