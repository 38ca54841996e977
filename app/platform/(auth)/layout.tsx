import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { pageContext, pageNonce } from '@/lib/context/page'
import { pageTheme } from '@/lib/context/theme'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import { projectInfo } from '@/lib/platform/project-info/service'
import { AuthLayout } from './_ui/auth-layout'

export default async function Layout({ children }: { children: ReactNode }) {
  const { ctx, cookieConsent, chosenTimeZone } = await pageContext()
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
        ownZone={chosenTimeZone === null}
        nonce={nonce}
      >
        {children}
      </AuthLayout>
    </NextIntlClientProvider>
  )
}
