import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { PlainSignOut } from '@/components/plain/plain-sign-out'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { afterAgreeing } from '@/lib/sign-in/agreements/forms'
import { FailureAlert } from '../_ui/failure-alert'
import { formFailure } from '../_ui/form-failure'
import { StepButton } from '../_ui/step-button'
import { StepHeading, stepHeadingId } from '../_ui/step-heading'
import { TermsBoxes, termLabels } from '../_ui/terms-boxes'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('agreements')
  return pageTitle(t('title'))
}

/**
 * Asks a signed-in person for the agreements that the domain requires now, and redirects to the page that they
 * requested. Beside it they may sign out.
 */
export default async function AgreementsPage({ searchParams }: PageProps<'/platform/agreements'>) {
  const { ctx } = await pageContext()
  const { path } = await searchParams
  const onward = afterAgreeing(typeof path === 'string' ? path : null)
  if (!ctx.user) redirect(`/platform/login?path=${encodeURIComponent(onward)}`)
  if (!ctx.terms?.length) redirect(onward)
  const [t, tCommon, failed] = await Promise.all([
    getTranslations('agreements'),
    getTranslations('common'),
    formFailure(),
  ])
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={t('lead')}>{t('title')}</StepHeading>
      <FailureAlert failure={failed?.failure ?? null} fields={termLabels(ctx.terms)} action={t('failed')} />
      <p>{t('signedInAs', { login: ctx.user.login })}</p>
      <div className="grid gap-3">
        <PublicForm form="accept" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
          <TermsBoxes terms={ctx.terms} errors={failed?.errors ?? {}} before={failed} />
          <StepButton>{t('accept')}</StepButton>
        </PublicForm>
        <PlainSignOut label={tCommon('signOut')} to="/platform/login" />
      </div>
    </div>
  )
}
