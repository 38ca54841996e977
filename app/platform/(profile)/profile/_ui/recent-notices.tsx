import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { markOf } from '@/components/notices/feed'
import { FreshList } from '@/components/notices/fresh-list'
import { NoticeList } from '@/components/notices/notice-list'
import { buttonClasses } from '@/components/ui/button-classes'
import type { Ctx } from '@/lib/kernel/ctx'
import { projectInfo } from '@/lib/platform/project-info/service'
import { lastNotices } from '@/lib/profile/notices/service'

const shown = 3

/** The last notices, kept up to date while the page is open; nothing where the platform has no bell. */
export async function RecentNotices({ ctx }: { ctx: Ctx }) {
  const [t, { uiSettings }, last] = await Promise.all([
    getTranslations('notices'),
    projectInfo(ctx.domain),
    lastNotices(ctx),
  ])
  if (!uiSettings.localNotifies) return null
  return (
    <>
      {last.notices.length > 0 ? (
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
          <NoticeList notices={last.notices.slice(0, shown)} />
        </CardGroup>
      ) : null}
      <FreshList mark={markOf(last)} />
    </>
  )
}
