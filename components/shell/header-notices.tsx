import { Activity, CircleArrowUp, Stethoscope } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { holdsMethod } from '@/lib/kernel/access'
import type { SystemicMethod } from '@/lib/kernel/access-methods'
import type { CtxUser } from '@/lib/kernel/ctx'
import type { HeaderNotice, HeaderNoticeName } from '@/lib/kernel/header-notices'
import { pathOfScreen, type ScreenName } from '@/lib/kernel/navigation/screens'
import { Alert } from '../ui/alert'
import { cn } from '../ui/cn'

const looks: Record<
  HeaderNoticeName,
  {
    Icon: typeof Activity
    ink: string
    tone: 'danger' | 'warning' | 'info'
    screen: ScreenName
    method: SystemicMethod
  }
> = {
  monitoring: {
    ...{ Icon: Activity, ink: 'text-danger', tone: 'danger' },
    ...{ screen: 'PlatformMonitoring', method: 'monitoring.read' },
  },
  diagnostics: {
    ...{ Icon: Stethoscope, ink: 'text-warning', tone: 'warning' },
    ...{ screen: 'PlatformDiagnostics', method: 'diagnostics.read' },
  },
  update: {
    ...{ Icon: CircleArrowUp, ink: 'text-info', tone: 'info' },
    ...{ screen: 'PlatformDiagnostics', method: 'diagnostics.read' },
  },
}

type Props = { notices: readonly HeaderNotice[]; user: CtxUser }

const hrefOf = (name: HeaderNoticeName, user: CtxUser) =>
  holdsMethod(user, looks[name].method) ? pathOfScreen(looks[name].screen) : undefined

async function textOf({ name, count, version = '', recommended = '' }: HeaderNotice): Promise<string> {
  const t = await getTranslations('shell.header')
  return t(name, { count, version, recommended })
}

const box = 'relative flex size-11 shrink-0 items-center justify-center rounded-control sm:pointer-fine:size-9'

async function NoticeMark({ notice, user }: { notice: HeaderNotice; user: CtxUser }) {
  const { Icon, ink } = looks[notice.name]
  const [text, href] = [await textOf(notice), hrefOf(notice.name, user)]
  const mark = <Icon aria-hidden="true" strokeWidth={1.75} className="size-5" />
  if (!href)
    return (
      <span role="img" aria-label={text} title={text} className={cn(box, ink)}>
        {mark}
      </span>
    )
  return (
    <Link href={href} prefetch={false} aria-label={text} title={text} className={cn(box, ink, 'hover:bg-sunken')}>
      {mark}
    </Link>
  )
}

/** What the platform tells administrators, as marks in the header; a phone has no room there. */
export function HeaderNotices({ notices, user }: Props) {
  if (notices.length === 0) return null
  return (
    <span className="flex items-center max-sm:hidden">
      {notices.map((notice) => (
        <NoticeMark key={notice.name} notice={notice} user={user} />
      ))}
    </span>
  )
}

async function NoticeAlert({ notice, user, always }: { notice: HeaderNotice; user: CtxUser; always: boolean }) {
  const [text, href] = [await textOf(notice), hrefOf(notice.name, user)]
  return (
    <Alert tone={looks[notice.name].tone} className={cn(!always && 'sm:hidden')}>
      <p>
        {href ? (
          <Link href={href} prefetch={false} className="underline underline-offset-4">
            {text}
          </Link>
        ) : (
          text
        )}
      </p>
    </Alert>
  )
}

/** The same above a page: on a phone all, elsewhere the update, where `update` says so. */
export function NoticeAlerts({ notices, user, update = false }: Props & { update?: boolean }) {
  if (notices.length === 0) return null
  return (
    <div className={cn('mb-6 grid gap-3', !(update && notices.some(({ name }) => name === 'update')) && 'sm:hidden')}>
      {notices.map((notice) => (
        <NoticeAlert key={notice.name} notice={notice} user={user} always={update && notice.name === 'update'} />
      ))}
    </div>
  )
}
