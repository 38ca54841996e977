'use client'

import { useTranslations } from 'next-intl'
import { GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import type { Provider } from '@/lib/directory-sync/providers/contract'
import { ClaimFields, ConnectionFields, SignInFields, useProviderForm } from '../../_ui/provider-form'

type Props = { provider: Provider; onDone: () => void }

/** Edits its address and how the platform signs in to it. */
export function ConnectionForm({ provider, onDone }: Props) {
  const form = useProviderForm(provider, onDone)
  return (
    <GroupForm form={form} onDone={onDone}>
      <ConnectionFields form={form} provider={provider} />
    </GroupForm>
  )
}

/** Edits its name. */
export function NameForm({ provider, onDone }: Props) {
  const t = useTranslations('providers')
  const form = useProviderForm(provider, onDone)
  return (
    <GroupForm form={form} onDone={onDone}>
      <FormText name={fieldsOf(form)('name')} label={t('name')} maxLength={100} />
    </GroupForm>
  )
}

/** Edits on which domains it is offered and what is requested from it. */
export function SignInForm({ provider, onDone }: Props) {
  const form = useProviderForm(provider, onDone)
  return (
    <GroupForm form={form} onDone={onDone}>
      <SignInFields form={form} provider={provider} />
    </GroupForm>
  )
}

/** Edits the mail domains that it claims. */
export function ClaimsForm({ provider, onDone }: Props) {
  const form = useProviderForm(provider, onDone)
  return (
    <GroupForm form={form} onDone={onDone}>
      <ClaimFields form={form} />
    </GroupForm>
  )
}
