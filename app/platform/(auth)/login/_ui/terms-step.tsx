'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { CheckboxField } from '@/components/form/checkbox-field'
import { useErrorText } from '@/components/form/use-error-text'
import { TextLink } from '@/components/ui/text-link'
import type { FlowId } from '@/lib/entry/sign-in/contract'
import type { TermsRequired } from '@/lib/kernel/errors'
import { FailureSummary } from '../../_ui/failure-summary'
import { StepTitle } from '../../_ui/step-title'
import { SubmitButton } from '../../_ui/submit-button'
import { useSubmission } from '../../_ui/use-submission'
import type { FlowStepProps } from './flow-step'
import { sendProof } from './send-proof'
import { SigningInAs } from './signing-in-as'

const fieldId = (id: string) => `terms-${id}`

/** Asks for the agreements that this domain wants before anybody goes on; what was proven stays proven meanwhile. */
export function TermsStep({ terms, flow, ...props }: FlowStepProps & { terms: TermsRequired[]; flow: FlowId }) {
  const t = useTranslations('entry.terms')
  const errorText = useErrorText()
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set())
  const names = new Map(terms.map((term) => [`terms-${term.id}`, term]))

  const { failed, errors, pending, submit, forget } = useSubmission({
    check: () => terms.flatMap(({ id }) => (agreed.has(id) ? [] : [{ field: fieldId(id), code: 'errorTerms' }])),
    send: () => {
      const termsAgree = terms.map(({ id, version }) => ({ type: id, agree: agreed.has(id), version }))
      return sendProof(props, { flow, termsAgree })
    },
    onExpired: props.onExpired,
  })

  const set = (id: string, on: boolean) => {
    const next = new Set(agreed)
    if (on) next.add(id)
    else next.delete(id)
    setAgreed(next)
    forget(fieldId(id))
  }
  return (
    <div data-step className="grid animate-arrive gap-6">
      <StepTitle moved={props.moved} lead={t('lead')}>
        {t('title')}
      </StepTitle>
      <SigningInAs identifier={props.attempt.identifier} onChange={props.onChange} />
      <FailureSummary
        failed={failed}
        fields={Object.fromEntries([...names].map(([name, { title }]) => [name, { id: name, label: title }]))}
      />
      <form noValidate onSubmit={submit} className="grid gap-6">
        <div className="grid gap-4">
          {terms.map(({ id, linkTitle, link }) => {
            const name = fieldId(id)
            const error = errors[name]
            return (
              <CheckboxField
                key={id}
                id={name}
                checked={agreed.has(id)}
                onChange={(event) => set(id, event.target.checked)}
                error={error && errorText(error)}
              >
                {t.rich('agree', {
                  document: () => (
                    <TextLink href={link} target="_blank">
                      {linkTitle}
                      <span className="sr-only"> {t('newTab')}</span>
                    </TextLink>
                  ),
                })}
              </CheckboxField>
            )
          })}
        </div>
        <SubmitButton pending={pending}>{t('accept')}</SubmitButton>
      </form>
    </div>
  )
}
