import type { ReactNode } from 'react'
import { pageContext, pageNonce } from '@/lib/request/page'
import { pageTheme } from '@/lib/request/theme'
import { projectInfo } from '@/lib/site/project-info/service'
import { AuthLayout } from './_ui/auth-layout'

export default async function Layout({ children }: { children: ReactNode }) {
  const { ctx, cookieConsent } = await pageContext()
  const [project, nonce, theme] = await Promise.all([projectInfo(ctx.domain), pageNonce(), pageTheme()])
  return (
    <AuthLayout
      project={project}
      locale={ctx.locale}
      theme={theme ?? 'system'}
      cookieConsent={cookieConsent}
      nonce={nonce}
    >
      {children}
    </AuthLayout>
  )
}
