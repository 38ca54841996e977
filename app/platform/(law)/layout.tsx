import { LogIn } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Mark } from '@/components/look/mark'
import { pageContext } from '@/lib/context/page'
import { projectInfo } from '@/lib/platform/project-info/service'

export default async function LawLayout({ children }: { children: ReactNode }) {
  const { ctx } = await pageContext()
  const t = await getTranslations('common')
  const { options } = await projectInfo(ctx.domain)
  return (
    <div className="min-h-dvh">
      <header className="flex min-h-16 items-center justify-between gap-4 border-line border-b px-4 py-3 xs:px-6 md:px-12">
        <a href="/" className="flex min-w-0 items-center gap-3 font-semibold text-section leading-6">
          <Mark className="text-brand" />
          <span className="min-w-0 break-words">{options[ctx.locale]?.projectName}</span>
        </a>
        {ctx.user ? null : (
          <Link
            href="/platform/login"
            prefetch={false}
            aria-label={t('signIn')}
            title={t('signIn')}
            className="flex size-11 items-center justify-center rounded-control text-ink-second hover:text-ink"
          >
            <LogIn aria-hidden="true" className="size-5" />
          </Link>
        )}
      </header>
      <main id="main" className="mx-auto max-w-3xl px-4 py-10 xs:px-6">
        {children}
      </main>
    </div>
  )
}
