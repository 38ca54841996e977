import { LogIn } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Mark } from '@/components/look/mark'
import { AvatarLink } from '@/components/shell/avatar-link'
import { CookieNotice } from '@/components/shell/cookie-notice'
import { HeaderChoices } from '@/components/shell/header-choices'
import { Metrics } from '@/components/shell/metrics'
import { RouteFocus } from '@/components/shell/route-focus'
import { SiteFooter } from '@/components/shell/site-footer'
import { SkipLink } from '@/components/shell/skip-link'
import { pageContext, pageCounter, pageNonce } from '@/lib/context/page'
import { pageTheme } from '@/lib/context/theme'
import { pictureAddress } from '@/lib/people/pictures/address'
import { initialsOf } from '@/lib/people/users/initials'
import { projectInfo } from '@/lib/platform/project-info/service'

export default async function LawLayout({ children }: { children: ReactNode }) {
  const { ctx, cookieConsent } = await pageContext()
  const [t, shell, project, nonce, theme] = await Promise.all([
    getTranslations('common'),
    getTranslations('shell'),
    projectInfo(ctx.domain),
    pageNonce(),
    pageTheme(),
  ])
  const counter = await pageCounter(project.metrics)
  const options = project.options[ctx.locale]
  const { user } = ctx
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink label={t('skipToContent')} />
      <RouteFocus />
      <header className="flex min-h-16 items-center justify-between gap-4 border-line border-b px-4 py-2 xs:px-6 md:px-12 print:hidden">
        <a
          href="/"
          className="flex min-h-11 min-w-0 items-center gap-3 font-semibold text-body leading-5 md:text-section"
        >
          <Mark code={project.code} logo={project.logo} className="text-brand" />
          <span className="min-w-0 break-words">{options?.projectName}</span>
        </a>
        <HeaderChoices languages={project.locales} locale={ctx.locale} theme={theme ?? 'system'} className="ml-auto" />
        {user ? (
          <AvatarLink
            initials={initialsOf(user)}
            picture={user.picture ? pictureAddress(user.picture) : null}
            label={shell('account', { name: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.login })}
            href="/platform/profile"
          />
        ) : (
          <Link
            href="/platform/login"
            prefetch={false}
            aria-label={t('signIn')}
            title={t('signIn')}
            className="flex size-11 shrink-0 items-center justify-center rounded-control text-ink-second transition-colors hover:bg-sunken hover:text-ink"
          >
            <LogIn aria-hidden="true" strokeWidth={1.75} className="size-5" />
          </Link>
        )}
      </header>
      <main
        id="main"
        tabIndex={-1}
        data-quiet-focus
        className="mx-auto w-full max-w-3xl grow px-4 py-8 xs:px-6 sm:py-10 print:max-w-none print:p-0"
      >
        {children}
      </main>
      <SiteFooter
        project={project}
        options={options}
        className="border-line border-t px-4 pt-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] xs:px-6 md:px-12 print:hidden"
      />
      {project.uiSettings.cookie && options?.cookie && !cookieConsent ? (
        <CookieNotice
          label={t('cookie.label')}
          text={t('cookie.text')}
          accept={t('cookie.accept')}
          metrics={counter}
          signedIn={user !== null}
        />
      ) : null}
      {cookieConsent ? <Metrics address={counter} nonce={nonce} /> : null}
    </div>
  )
}
