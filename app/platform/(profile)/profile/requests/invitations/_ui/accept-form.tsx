'use client'

import { useTranslations } from 'next-intl'
import { useFormContext } from 'react-hook-form'
import { CheckboxField } from '@/components/form/checkbox-field'
import { DialogForm } from '@/components/form/dialog-form'
import { useFieldId } from '@/components/form/form'
import { useContractForm } from '@/components/form/use-contract-form'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { TextLink } from '@/components/ui/text-link'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import { acceptOwnInvitation, type OwnInvitation } from '@/lib/joining/received-invitations/contract'

type Values = { terms: Record<string, boolean> }
type Props = { invitation: OwnInvitation; terms: TermsRequired[]; onDone: () => void }

/** What the invitation gives, and the documents to agree to. */
export function AcceptForm({ invitation: { id, access, expiresAt }, terms, onDone }: Props) {
  const t = useTranslations('invitations')
  const form = useContractForm<typeof acceptOwnInvitation, Values>(acceptOwnInvitation, {
    parts: { params: { id } },
    defaultValues: { terms: Object.fromEntries(terms.map((term) => [term.id, false])) },
    toBody: ({ terms: agreed }) => ({
      termsAgree: terms.map((term) => ({ type: term.id, agree: agreed[term.id] === true, version: term.version })),
    }),
    fieldOf: (field) => field.replace(/^termsAgree\./, 'terms.'),
    onDone,
  })
  return (
    <DialogForm form={form} verb={t('accept')}>
      <KeyValues>
        {access.map(({ organizationId, organization, roles }) => (
          <KeyValue key={organizationId} label={t('rolesIn', { organization })}>
            {roles.map(({ name }) => name).join(', ')}
          </KeyValue>
        ))}
        <KeyValue label={t('answerUntil')}>
          <DateTime value={expiresAt} />
        </KeyValue>
      </KeyValues>
      {terms.map((term) => (
        <Agreement key={term.id} term={term} />
      ))}
    </DialogForm>
  )
}

function Agreement({ term: { id: termId, title, linkTitle, link } }: { term: TermsRequired }) {
  const t = useTranslations('invitations')
  const { register, getFieldState, formState } = useFormContext<Values>()
  const name = `terms.${termId}` as const
  const id = useFieldId(name, title)
  const { error } = getFieldState(name, formState)
  return (
    <CheckboxField {...register(name)} id={id} {...(error ? { error: t('agreeFirst') } : {})}>
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
}
