import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { followRules } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { pageTitle } from '@/lib/context/title'
import { offeredAttributes } from '@/lib/entry/sign-in/attributes'
import { type SignInStep, signInStep } from '@/lib/entry/sign-in/service'
import { platformSettings } from '@/lib/platform/settings/service'
import { SignIn } from './_ui/sign-in'
import type { SignInView } from './_ui/view'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('entry')
  return pageTitle(t('title'))
}

type Search = { path?: string | string[] }

function viewOf(step: SignInStep | null): SignInView {
  if (!step) return { step: 'id' }
  if (step.step === 'terms') return { ...step, flows: [] }
  const { code, stage: _, ...view } = step
  return { ...view, code: code && view.step !== 'credentials' ? { flow: view.step, ...code } : null }
}

export default async function LoginPage({ searchParams }: { searchParams: Promise<Search> }) {
  const { ctx } = await pageContext()
  await followRules(ctx, '/platform/login')
  const { path } = await searchParams
  const [step, idAttributes, { authCodeDigits }] = await Promise.all([
    signInStep(ctx),
    offeredAttributes(ctx),
    platformSettings(),
  ])
  return (
    <SignIn
      view={viewOf(step)}
      idAttributes={idAttributes}
      codeDigits={authCodeDigits}
      now={ctx.now().getTime()}
      path={typeof path === 'string' ? path : undefined}
    />
  )
}
