import { Activity, CircleArrowUp, type LucideIcon, Stethoscope } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { holdsMethod } from '@/lib/base/context/access'
import type { CtxUser } from '@/lib/base/context/ctx'
import type { HeaderWarning, HeaderWarningName } from '@/lib/base/frame/header-warnings'
import { pathOfScreen, type ScreenName } from '@/lib/base/navigation/screens'
import { Alert } from '../ui/alert'

type Look = { Icon: LucideIcon; tone: 'danger' | 'warning' | 'info'; screen: ScreenName; method: SystemicMethod }

const looks: Record<HeaderWarningName, Look> = {
  monitoring: { Icon: Activity, tone: 'danger', screen: 'PlatformMonitoring', method: 'monitoring.read' },
  diagnostics: { Icon: Stethoscope, tone: 'warning', screen: 'PlatformDiagnostics', method: 'diagnostics.read' },
  update: { Icon: CircleArrowUp, tone: 'info', screen: 'PlatformDiagnostics', method: 'diagnostics.read' },
}

type Props = { notices: readonly HeaderWarning[]; user: CtxUser }

const hrefOf = (name: HeaderWarningName, user: CtxUser) =>
  holdsMethod(user, looks[name].method) ? pathOfScreen(looks[name].screen) : undefined

async function textOf({ name, count, version = '', recommended = '' }: HeaderWarning): Promise<string> {
  const t = await getTranslations('shell.header')
  return t(name, { count, version, recommended })
}

async function NoticeAlert({ notice, user }: { notice: HeaderWarning; user: CtxUser }) {
  const [text, href] = [await textOf(notice), hrefOf(notice.name, user)]
  return (
    <Alert tone={looks[notice.name].tone} Icon={looks[notice.name].Icon}>
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

/**
 * The header warnings that the platform shows to holders of the methods, above every page
 * (docs/rules/monitoring.md#in-the-header).
 */
export function StatusBanners({ notices, user }: Props) {
  if (notices.length === 0) return null
  return (
    <div className="mb-6 grid gap-2">
      {notices.map((notice) => (
        <NoticeAlert key={notice.name} notice={notice} user={user} />
      ))}
    </div>
  )
}
