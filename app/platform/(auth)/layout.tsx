import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { pickMessages } from '@/lib/base/i18n/messages'
import { pageContext, pageNonce } from '@/lib/request/page'
import { pageTheme } from '@/lib/request/theme'
import { projectInfo } from '@/lib/site/project-info/service'
import { AuthLayout } from './_ui/auth-layout'

export default async function Layout({ children }: { children: ReactNode }) {
  const { ctx, cookieConsent } = await pageContext()
  const [project, messages, nonce, theme] = await Promise.all([
    projectInfo(ctx.domain),
    getMessages(),
    pageNonce(),
    pageTheme(),
  ])
  return (
    <NextIntlClientProvider messages={pickMessages(messages, ['common', 'entry', 'errors', 'snackbar'])}>
      <AuthLayout
        project={project}
        locale={ctx.locale}
        theme={theme ?? 'system'}
        cookieConsent={cookieConsent}
        signedIn={ctx.user !== null}
        nonce={nonce}
      >
        {children}
      </AuthLayout>
    </NextIntlClientProvider>
  )
}
