'use client'

import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import { GroupForm } from '@/components/card/group-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormSelect } from '@/components/form/form-select'
import { FormNumber, FormText } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { periodAmounts } from '@/lib/directory-sync/providers/contract'
import {
  type AuthKind,
  authKinds,
  type IntegrationSync,
  updateIntegrationSync,
} from '@/lib/exchanges/exchanges/contract'

type Props = { sync: IntegrationSync; onDone: () => void }

/** The form values of an exchange as its card read it, for a group that edits a part of it. */
function useSyncForm({ sync, onDone }: Props) {
  const { id, url, auth, authName, periodUnit, periodAmount, pageSize, updatedAt } = sync
  return useContractForm(updateIntegrationSync, {
    parts: { params: { id } },
    defaultValues: { url, auth, authName, secret: '', periodUnit, periodAmount, pageSize, updatedAt },
    onDone,
  })
}

/** Edits where data is sent to or read from, and how the platform signs in there. */
export function ConnectionForm(props: Props) {
  const form = useSyncForm(props)
  const t = useTranslations('integration')
  const field = fieldsOf(form)
  return (
    <GroupForm form={form} onDone={props.onDone}>
      <FormText mono name={field('url')} label={t('url')} hint={t('urlHint')} maxLength={2048} />
      <FormSelect
        name={field('auth')}
        label={t('auth')}
        options={authKinds.map((value) => ({ value, label: t(`auths.${value}`) }))}
      />
      <SignIn form={form} kept={props.sync.secretTail !== ''} />
    </GroupForm>
  )
}

function SignIn({ form, kept }: { form: FormOf<BodyOf<typeof updateIntegrationSync>>; kept: boolean }) {
  const t = useTranslations('integration')
  const field = fieldsOf(form)
  const auth = useWatch({ name: 'auth' }) as AuthKind
  if (auth === 'none') return null
  return (
    <>
      {auth === 'bearer' ? null : (
        <FormText
          mono
          name={field('authName')}
          label={t(auth === 'header' ? 'headerName' : 'userName')}
          {...(auth === 'header' ? { hint: t('headerHint') } : {})}
          maxLength={100}
        />
      )}
      <FormText
        mono
        type="password"
        autoComplete="off"
        name={field('secret')}
        label={t('secret')}
        hint={t(kept ? 'secretKept' : 'secretHint')}
        maxLength={1024}
      />
    </>
  )
}

/** Edits how often data is exchanged, and how much at once. */
export function ScheduleForm(props: Props) {
  const form = useSyncForm(props)
  const t = useTranslations('integration')
  const field = fieldsOf(form)
  return (
    <GroupForm form={form} onDone={props.onDone}>
      <FormNumber name={field('periodUnit')} label={t('periodUnit')} hint={t('periodHint')} />
      <FormSelect
        name={field('periodAmount')}
        label={t('periodAmount')}
        options={periodAmounts.map((value) => ({ value, label: t(`amounts.${value}`) }))}
      />
      <FormNumber name={field('pageSize')} label={t('pageSize')} hint={t('pageSizeHint')} />
    </GroupForm>
  )
}
