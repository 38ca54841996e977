'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormSelect } from '@/components/form/form-select'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { Tabs } from '@/components/ui/tabs'
import type { ApplicationCard } from '@/lib/openid/applications/contract'
import { rotateClientSecret, updateClientAuthentication, updateClientKeys } from '@/lib/openid/clients/contract'

/** How long the previous secret may stay valid, in seconds. */
const overlaps = { none: 0, hour: 3600, day: 86_400, week: 7 * 86_400 }
type Overlap = keyof typeof overlaps

type Rotating = { clientId: string; updatedAt: string; onDone: () => void }

/** Creates a new secret, and says until when the previous one is valid. */
export function RotateSecret({ clientId, updatedAt, onDone }: Rotating) {
  const t = useTranslations('clients')
  const form = useContractForm<typeof rotateClientSecret, { overlap: Overlap }>(rotateClientSecret, {
    parts: { params: { clientId } },
    defaultValues: { overlap: 'day' },
    toBody: ({ overlap }) => ({ overlap: overlaps[overlap], updatedAt }),
    onDone,
  })
  return (
    <DialogForm form={form} verb={t('rotateVerb')}>
      <FormSelect
        name={fieldsOf(form)('overlap')}
        label={t('overlap')}
        hint={t('overlapHint')}
        options={(Object.keys(overlaps) as Overlap[]).map((value) => ({ value, label: t(`overlaps.${value}`) }))}
      />
    </DialogForm>
  )
}

type Proving = { client: ApplicationCard['clients'][number]; onDone: () => void }

/** How a client authenticates itself: by a secret, by keys, or not at all. */
export function ProveClient({ client, onDone }: Proving) {
  const t = useTranslations('clients')
  const byKeys = client.authMethod === 'private_key_jwt'
  const [tab, setTab] = useState(byKeys ? 'keys' : 'secret')
  return (
    <Tabs
      label={t('authMethod')}
      value={tab}
      onValueChange={setTab}
      className="contents [&>[role=tablist]]:px-3"
      tabs={[
        { id: 'secret', label: t('bySecret'), content: <BySecret client={client} onDone={onDone} /> },
        { id: 'keys', label: t('byKeys'), content: <ByKeys client={client} onDone={onDone} /> },
      ]}
    />
  )
}

function BySecret({ client, onDone }: Proving) {
  const [t, tUi] = [useTranslations('clients'), useTranslations('ui')]
  const { authMethod, clientId, updatedAt } = client
  const form = useContractForm(updateClientAuthentication, {
    parts: { params: { clientId } },
    defaultValues: { authMethod: authMethod === 'private_key_jwt' ? 'client_secret_basic' : authMethod, updatedAt },
    onDone,
  })
  return (
    <DialogForm form={form} verb={tUi('save')}>
      <FormSelect
        name={fieldsOf(form)('authMethod')}
        label={t('authMethod')}
        hint={t('authMethodHint')}
        options={(['client_secret_basic', 'client_secret_post', 'none'] as const).map((value) => ({
          value,
          label: t(`authMethods.${value}`),
        }))}
      />
    </DialogForm>
  )
}

function ByKeys({ client, onDone }: Proving) {
  const [t, tUi] = [useTranslations('clients'), useTranslations('ui')]
  const { clientId, updatedAt, jwks, jwksUri } = client
  const form = useContractForm(updateClientKeys, {
    parts: { params: { clientId } },
    defaultValues: { jwks: jwks ?? '', jwksUri: jwksUri ?? '', updatedAt },
    toBody: ({ jwks: byValue, jwksUri: address }) => ({
      ...(byValue?.trim() ? { jwks: byValue } : {}),
      ...(address?.trim() ? { jwksUri: address } : {}),
      updatedAt,
    }),
    onDone,
  })
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={tUi('save')}>
      <FormText mono name={field('jwksUri')} label={t('jwksUri')} hint={t('jwksUriHint')} maxLength={2048} />
      <FormTextarea name={field('jwks')} label={t('jwks')} hint={t('jwksHint')} rows={6} maxLength={20_000} />
    </DialogForm>
  )
}
