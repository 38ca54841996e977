import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { followRules } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { pageTitle } from '@/lib/context/title'
import { offeredAttributes } from '@/lib/entry/sign-in/attributes'
import { signInView } from '@/lib/entry/sign-in/service'
import { SignIn } from './_ui/sign-in'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('entry')
  return pageTitle(t('title'))
}

type Search = { path?: string | string[] }

export default async function LoginPage({ searchParams }: { searchParams: Promise<Search> }) {
  const { ctx } = await pageContext()
  await followRules(ctx, '/platform/login')
  const { path } = await searchParams
  const [view, idAttributes] = await Promise.all([signInView(ctx), offeredAttributes(ctx)])
  return (
    <SignIn view={view ?? { step: 'id' }} idAttributes={idAttributes} path={typeof path === 'string' ? path : undefined} />
  )
}
