import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Mark } from '@/components/look/mark'
import { SignOut } from '@/components/shell/sign-out'
import { pageContext } from '@/lib/context/page'
import { projectInfo } from '@/lib/platform/project-info/service'

export default async function ProfileLayout({ children }: { children: ReactNode }) {
  const { ctx } = await pageContext()
  const t = await getTranslations('common')
  const { options } = await projectInfo(ctx.domain)
  return (
    <div className="min-h-dvh">
      <header className="flex items-center justify-between gap-4 border-line border-b px-4 py-3 md:px-8">
        <span className="flex items-center gap-3 font-semibold">
          <Mark className="size-6 text-brand" />
          {options[ctx.locale]?.projectName}
        </span>
        {ctx.user ? <SignOut label={t('signOut')} failed={t('signOutFailed')} /> : null}
      </header>
      <main id="main" className="mx-auto max-w-3xl px-4 py-8 md:px-8">
        {children}
      </main>
    </div>
  )
}
