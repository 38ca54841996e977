import { LogIn } from 'lucide-react'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { PlainChoices } from '@/components/plain/plain-choices'
import { PlainCookieNotice } from '@/components/plain/plain-cookie-notice'
import { PlainCounter } from '@/components/plain/plain-counter'
import { AvatarLink } from '@/components/shell/avatar-link'
import { PublicHeader } from '@/components/shell/public-header'
import { SiteFooter } from '@/components/shell/site-footer'
import { SkipLink } from '@/components/shell/skip-link'
import { pictureAddress } from '@/lib/accounts/pictures/address'
import { initialsOf } from '@/lib/accounts/users/initials'
import { pageContext } from '@/lib/request/page'
import { pageTheme } from '@/lib/request/theme'
import { projectInfo } from '@/lib/site/project-info/service'
import { PlainParts } from '../_ui/plain-parts'

export default async function LawLayout({ children }: { children: ReactNode }) {
  const { ctx, cookieConsent } = await pageContext()
  const [t, shell, project, theme] = await Promise.all([
    getTranslations('common'),
    getTranslations('shell'),
    projectInfo(ctx.domain),
    pageTheme(),
  ])
  const options = project.options[ctx.locale]
  const { user } = ctx
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink label={t('skipToContent')} />
      <PublicHeader project={project} options={options} home className="border-line border-b py-2">
        <PlainChoices languages={project.locales} locale={ctx.locale} theme={theme ?? 'system'} className="ml-auto" />
        {user ? (
          <AvatarLink
            initials={initialsOf(user)}
            picture={user.picture ? pictureAddress(user.picture) : null}
            label={shell('account', { name: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.login })}
            href="/platform/profile"
            loads
          />
        ) : (
          <a
            href="/platform/login"
            aria-label={t('signIn')}
            title={t('signIn')}
            className="flex size-11 shrink-0 items-center justify-center rounded-control text-ink-second transition-colors hover:bg-sunken hover:text-ink"
          >
            <LogIn aria-hidden="true" strokeWidth={1.75} className="size-5" />
          </a>
        )}
      </PublicHeader>
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
      {project.uiSettings.cookie && options?.cookie && !cookieConsent ? <PlainCookieNotice /> : null}
      {project.metrics ? <PlainCounter waits={!cookieConsent} /> : null}
      <PlainParts />
    </div>
  )
}
