import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { pageContext, pageCounter, pageNonce } from '@/lib/context/page'
import { pageTheme } from '@/lib/context/theme'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import { projectInfo } from '@/lib/platform/project-info/service'
import { AuthLayout } from './_ui/auth-layout'

export default async function Layout({ children }: { children: ReactNode }) {
  const { ctx, cookieConsent } = await pageContext()
  const [project, messages, nonce, theme] = await Promise.all([
    projectInfo(ctx.domain),
    getMessages(),
    pageNonce(),
    pageTheme(),
  ])
  const counter = await pageCounter(project.metrics)
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['common', 'entry', 'errors', 'snackbar'])}>
      <AuthLayout
        project={project}
        locale={ctx.locale}
        theme={theme ?? 'system'}
        cookieConsent={cookieConsent}
        signedIn={ctx.user !== null}
        counter={counter}
        nonce={nonce}
      >
        {children}
      </AuthLayout>
    </NextIntlClientProvider>
  )
}
