import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { limitEnd } from '@/components/form/limit-end'
import { ServiceMark } from '@/components/shell/service-mark'
import { Alert } from '@/components/ui/alert'
import { TextLink } from '@/components/ui/text-link'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { isInteraction, ownPath } from '@/lib/base/navigation/after-sign-in'
import { onward } from '@/lib/base/navigation/onward'
import { zoneLabel } from '@/lib/base/text/time-zone'
import { refusals } from '@/lib/directory-sync/provider-sign-in/refusal'
import { providersOpenAt } from '@/lib/directory-sync/provider-sign-in/service'
import { applicationOfInteraction } from '@/lib/openid/begun-interactions/service'
import { followRules } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { listedPage, pageTitle } from '@/lib/request/title'
import { offeredAttributes } from '@/lib/sign-in/attempts/attributes'
import { offersPasskeys } from '@/lib/sign-in/attempts/passkey-use'
import { signInStep } from '@/lib/sign-in/attempts/service'
import { platformSettings } from '@/lib/site/settings/service'
import { StepHeading } from '../_ui/step-heading'
import { factorSteps } from './_ui/factor-steps'
import { ProviderLinks } from './_ui/provider-links'
import { SignInSteps } from './_ui/steps'

export async function generateMetadata({ searchParams }: { searchParams: Promise<Search> }): Promise<Metadata> {
  const t = await getTranslations('entry')
  const { step: named } = await searchParams
  const step = await stepOfPage(textOf(named))
  if (!step || named === 'id') return listedPage(t('title'), 'signIn')
  if (step.step === 'terms') return pageTitle(t('terms.title'))
  return pageTitle(t(step.newApp ? 'totp.setUp.title' : factorSteps[step.step].title))
}

const stepOfPage = cache(async (named: string | undefined) => signInStep((await pageContext()).ctx, named))
const textOf = (parameter: string | string[] | undefined) => (typeof parameter === 'string' ? parameter : undefined)

/**
 * Returns whom this device remembers (ADR 36). Anybody could have written the cookie, so it is used as an identifier
 * only.
 */
function rememberedBy({ cookies }: Ctx): string | undefined {
  const account = cookies.get('account')
  return account && account.length <= 256 && !/\p{C}/u.test(account) ? account : undefined
}

type Search = {
  path?: string | string[]
  ended?: string | string[]
  /** The login that an application expects. */
  login_hint?: string | string[]
  /** Why a sign-in through an identity provider ended here. */
  refused?: string | string[]
  /** Whether an application asks a signed-in person to authenticate again. */
  anew?: string | string[]
  /** The step that is shown, if the attempt of this browser has reached it. */
  step?: string | string[]
}

/** The reason why a page redirected here, if the address has one. */
const endings = ['deleted', 'endedByUser', 'expired', 'passwordChanged'] as const

export default async function LoginPage({ searchParams }: { searchParams: Promise<Search> }) {
  const { ctx } = await pageContext()
  const { path: pathParameter, ended, anew, login_hint: loginHint, refused, step: named } = await searchParams
  const path = typeof pathParameter === 'string' ? ownPath(pathParameter) : null
  // the person has signed in elsewhere, and an application still waits
  if (ctx.user && anew === undefined && path && isInteraction(path)) redirect(path)
  if (anew === undefined) await followRules(ctx, '/platform/login')
  const t = await getTranslations('entry')
  const [step, idAttributes, { authCodeDigits, registrationEnabled }, passkeys] = await Promise.all([
    stepOfPage(textOf(named)),
    offeredAttributes(ctx),
    platformSettings(),
    offersPasskeys(),
  ])
  const [tCommon, tRegistration, tProvider, tOidc, requestingApplication] = await Promise.all([
    getTranslations('common'),
    getTranslations('registration'),
    getTranslations('provider-sign-in'),
    getTranslations('oidc'),
    applicationOfInteraction(ctx, path ?? onward(ctx)),
  ])
  const application = requestingApplication && localName(requestingApplication, ctx.locale)
  const refusal = refusals.find((reason) => reason === refused)
  const opensAt = refusal === 'tooMany' ? await providersOpenAt(ctx) : null
  const openAt = opensAt && limitEnd(opensAt.getTime())
  const links = <ProviderLinks ctx={ctx} path={path} anew={anew !== undefined} />
  const ending = endings.find((reason) => reason === ended) ?? 'other'
  const [kind, ...kinds] = idAttributes
  const hint = typeof loginHint === 'string' ? loginHint.slice(0, 256) : undefined
  const parameters = { ...(path && { path }), ...(anew !== undefined && { anew: '' }) }
  const addressOf = (next: string) => `/platform/login?${new URLSearchParams({ ...parameters, step: next })}`
  const registration = registrationEnabled ? (
    <p className="mt-2 border-line border-t pt-6 text-ink-second">
      {tRegistration.rich('invite', {
        link: (words) => <TextLink href="/platform/registration">{words}</TextLink>,
      })}
    </p>
  ) : null
  return (
    <>
      {ended ? (
        <Alert tone="info" role="status" className="mb-6">
          <p>{t(`ended.${ending}`)}</p>
        </Alert>
      ) : null}
      {refusal ? (
        <Alert tone="warning" role="status" className="mb-6">
          <p>
            {openAt
              ? tProvider('tooManyUntil', { until: openAt, zone: zoneLabel(ctx.timeZone, openAt, tCommon('moscow')) })
              : tProvider(`refusals.${refusal}`)}
          </p>
        </Alert>
      ) : null}
      {application ? (
        <p className="mb-6 flex items-center gap-3 text-ink-second">
          <ServiceMark title={application} size="M" />
          <span className="wrap-anywhere min-w-0">{tOidc('signIn', { application })}</span>
        </p>
      ) : null}
      {kind ? (
        <SignInSteps
          reached={step}
          step={textOf(named)}
          addressOf={addressOf}
          allowed={[kind, ...kinds]}
          hint={hint}
          remembered={rememberedBy(ctx)}
          codeDigits={authCodeDigits}
          offersPasskeys={passkeys}
          providers={links}
          registration={registration}
        />
      ) : (
        <div className="grid gap-6">
          <StepHeading>{t('id.title')}</StepHeading>
          <Alert tone="warning">{t('id.none')}</Alert>
          {links}
          {registration}
        </div>
      )}
    </>
  )
}
