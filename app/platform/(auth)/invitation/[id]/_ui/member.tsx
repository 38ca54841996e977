'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { AuthSubmitButton } from '../../../_ui/auth-submit-button'
import { FailureSummary } from '../../../_ui/failure-summary'
import { stepForm } from '../../../_ui/step-title'
import { TermsFields } from '../../../_ui/terms-fields'
import { useSubmission } from '../../../_ui/use-submission'
import { type Term, termFieldId, useTerms } from '../../../_ui/use-terms'
import { Decline, type Offer } from './decline'
import { Head } from './head'
import { useAccept } from './use-accept'

type Props = Offer & { login: string; terms: readonly Term[]; children: ReactNode }

/** For a signed-in invitee: they agree to the terms, and one click accepts. */
export function Member({ login, terms: initial, children, ...offer }: Props) {
  const t = useTranslations('invitation')
  const errorText = useErrorText()
  const terms = useTerms(initial)
  const accept = useAccept(offer.id, terms)
  const { failed, errors, pending, submit, forget } = useSubmission({ check: terms.check, send: () => accept({}) })
  const fields = terms.terms.map(({ id, title }) => [termFieldId(id), { id: termFieldId(id), label: title }])
  return (
    <div className="grid grid-cols-1 gap-6">
      <Head {...offer} />
      <FailureSummary failed={failed} formTitle={errorText('errorFields')} fields={Object.fromEntries(fields)} />
      {children}
      <p>{t('signedInAs', { login })}</p>
      <form {...stepForm} onSubmit={submit} className="grid gap-6">
        <TermsFields terms={terms} errors={errors} forget={forget} />
        <div className="grid gap-3">
          <AuthSubmitButton pending={pending}>{t('accept')}</AuthSubmitButton>
          <Decline {...offer} />
        </div>
      </form>
    </div>
  )
}
