import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { PlainChoices } from '@/components/plain/plain-choices'
import { PlainCookieNotice } from '@/components/plain/plain-cookie-notice'
import type { Theme } from '@/components/shell/choices'
import { OfflineScript } from '@/components/shell/offline-script'
import { PublicHeader } from '@/components/shell/public-header'
import { SiteFooter } from '@/components/shell/site-footer'
import { SkipLink } from '@/components/shell/skip-link'
import { Alert } from '@/components/ui/alert'
import { browserCookie } from '@/lib/base/http/form-token'
import { pageAddress, pageContext } from '@/lib/request/page'
import type { ProjectInfo } from '@/lib/site/project-info/contract'
import { PlainParts } from '../../_ui/plain-parts'
import { BrandPanel } from './brand-panel'

type Props = {
  project: ProjectInfo
  locale: string
  /** The theme that this browser chose. */
  theme: Theme
  /** Whether this person has agreed to cookies. */
  cookieConsent: boolean
  nonce: string | undefined
  children: ReactNode
}

/** The layout of public pages: the form on the left, the domain's panel on the right, or below on a phone. */
export async function AuthLayout({ project, locale, theme, cookieConsent, nonce, children }: Props) {
  const [t, errors, address, { ctx }] = await Promise.all([
    getTranslations('common'),
    getTranslations('errors'),
    pageAddress(),
    pageContext(),
  ])
  // a form came without the cookie that its page had set, and so does this request
  const keepsNoCookies = /[?&]cookies=off$/.test(address) && !ctx.cookies.get(browserCookie)
  const options = project.options[locale] ?? Object.values(project.options)[0]
  return (
    <div className="auth-grid min-h-dvh print:block print:min-h-0">
      <OfflineScript variant={`${locale}.${theme}.${project.code}`} nonce={nonce} />
      <SkipLink label={t('skipToContent')} />
      <PublicHeader project={project} options={options} className="py-3 [grid-area:header] md:pt-7">
        <PlainChoices languages={project.locales} locale={locale} theme={theme} className="ml-auto" />
      </PublicHeader>
      <main
        id="main"
        tabIndex={-1}
        data-quiet-focus
        // a page that answers a form has no address
        data-answer={address ? undefined : ''}
        className="flex items-start justify-center px-4 pt-8 pb-14 [grid-area:main] xs:px-6 sm:pt-[max(2.5rem,min(12dvh,8rem))] md:px-12 print:justify-start print:p-0"
      >
        <div className="w-full max-w-[25rem]">
          {keepsNoCookies ? (
            <Alert tone="danger" role="alert" title={errors('formCookiesTitle')} className="mb-6">
              <p>{errors('formCookies')}</p>
            </Alert>
          ) : null}
          {children}
        </div>
        <PlainParts />
      </main>
      {/* the notice can't stick higher than the element around it begins, so it never covers the form */}
      <div className="[grid-area:rest] sm:contents">
        <BrandPanel banners={options?.authBanners ?? []} />
        <div className="max-sm:contents sm:[grid-area:rest]">
          <SiteFooter
            project={project}
            options={options}
            className="px-4 pt-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] xs:px-6 md:px-12 md:py-8 print:hidden"
          />
          {project.uiSettings.cookie && options?.cookie && !cookieConsent && address ? <PlainCookieNotice /> : null}
        </div>
      </div>
    </div>
  )
}
