import { NextIntlClientProvider } from 'next-intl'
import { getLocale, getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { pageContext } from '@/lib/context/page'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import { projectInfo } from '@/lib/platform/project-info/service'
import { AuthLayout } from './_ui/auth-layout'

export default async function Layout({ children }: { children: ReactNode }) {
  const { ctx, cookieConsent } = await pageContext()
  const [project, locale, messages] = await Promise.all([projectInfo(ctx.domain), getLocale(), getMessages()])
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['common', 'entry', 'errors', 'snackbar'])}>
      <AuthLayout project={project} locale={locale} cookieConsent={cookieConsent}>
        {children}
      </AuthLayout>
    </NextIntlClientProvider>
  )
}
