'use client'

import { useTranslations } from 'next-intl'
import { useController } from 'react-hook-form'
import { GroupFields, GroupForm } from '@/components/card/group-form'
import { CheckboxBox } from '@/components/form/checkbox-box'
import { DialogForm } from '@/components/form/dialog-form'
import { FieldError } from '@/components/form/field-error'
import { type BodyOf, type FieldName, fieldsOf } from '@/components/form/field-name'
import { useFieldId } from '@/components/form/form'
import { FormSwitch } from '@/components/form/form-choice'
import { FormDuration } from '@/components/form/form-duration'
import { FormLines } from '@/components/form/form-lines'
import { FormSelect } from '@/components/form/form-select'
import { FormText } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import type { ApplicationCard } from '@/lib/openid/applications/contract'
import { createClient, offeredGrants, signingAlgs, updateClient } from '@/lib/openid/clients/contract'

type Values = BodyOf<typeof updateClient>
type Client = ApplicationCard['clients'][number]

/** A missing address is null, not an empty text. */
const withNull = <V extends { backchannelLogoutUri: string | null }>(values: V): V => ({
  ...values,
  backchannelLogoutUri: values.backchannelLogoutUri || null,
})

/** Which grants a client has, each with what it is for. */
function GrantField({ name }: { name: FieldName<readonly string[]> }) {
  const t = useTranslations('clients')
  const id = useFieldId(name, t('grantTypes'))
  const { field, fieldState } = useController({ name })
  const chosen: readonly string[] = field.value ?? []
  const error = fieldState.error?.message ?? fieldState.error?.root?.message
  const set = (grant: string, checked: boolean) =>
    field.onChange(offeredGrants.filter((offered) => (offered === grant ? checked : chosen.includes(offered))))
  return (
    <fieldset className="grid gap-2.5" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-2.5 font-medium text-table">{t('grantTypes')}</legend>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      {offeredGrants.map((grant, index) => {
        const key = grant.startsWith('urn:') ? 'device' : (grant as 'authorization_code')
        const boxId = index === 0 ? id : `${id}-${index}`
        return (
          <div key={grant} className="flex items-start gap-3">
            <span className="flex min-h-6 items-center">
              <CheckboxBox
                id={boxId}
                ref={index === 0 ? field.ref : undefined}
                checked={chosen.includes(grant)}
                aria-describedby={`${boxId}-hint`}
                onCheckedChange={(checked) => set(grant, checked === true)}
                onBlur={field.onBlur}
              />
            </span>
            <div className="grid">
              <label htmlFor={boxId} className="cursor-pointer">
                {t(`grants.${key}`)}
              </label>
              <span id={`${boxId}-hint`} className="text-ink-second text-note">
                {t(`grantHints.${key}`)}
              </span>
            </div>
          </div>
        )
      })}
    </fieldset>
  )
}

/** The addresses, grants and lifespans of a client. */
function ClientFields({ form }: { form: FormOf<Values> }) {
  const t = useTranslations('clients')
  const field = fieldsOf(form)
  return (
    <>
      <FormLines
        name={field('redirectUris')}
        label={t('redirectUris')}
        hint={t('redirectHint')}
        rowLabel={t('address')}
        addLabel={t('addAddress')}
        max={50}
      />
      <FormLines
        name={field('postLogoutRedirectUris')}
        label={t('postLogoutRedirectUris')}
        hint={t('postLogoutHint')}
        rowLabel={t('address')}
        addLabel={t('addAddress')}
        max={50}
      />
      <FormText
        mono
        name={field('backchannelLogoutUri')}
        label={t('backchannelLogoutUri')}
        hint={t('backchannelHint')}
        maxLength={2048}
      />
      <FormLines
        name={field('allowedOrigins')}
        label={t('allowedOrigins')}
        hint={t('allowedOriginsHint')}
        rowLabel={t('address')}
        addLabel={t('addAddress')}
        max={50}
      />
      <GrantField name={field('grantTypes')} />
      <FormSwitch name={field('pkceRequired')} label={t('pkceRequired')} hint={t('pkceHint')} />
      <GroupFields>
        <FormSelect
          name={field('applicationType')}
          label={t('applicationType')}
          options={(['web', 'native'] as const).map((value) => ({ value, label: t(`applicationTypes.${value}`) }))}
        />
        <FormSelect
          name={field('idTokenAlg')}
          label={t('idTokenAlg')}
          options={signingAlgs.map((value) => ({ value, label: value }))}
        />
        <FormDuration name={field('accessTokenLifespan')} label={t('accessTokenLifespan')} hint={t('lifespanHint')} />
        <FormDuration name={field('refreshTokenLifespan')} label={t('refreshTokenLifespan')} hint={t('lifespanHint')} />
      </GroupFields>
    </>
  )
}

/** Edits a client in its group. */
export function ClientForm({ client, onDone }: { client: Client; onDone: () => void }) {
  const t = useTranslations('clients')
  const { name, applicationType, redirectUris, postLogoutRedirectUris, backchannelLogoutUri, grantTypes } = client
  const { accessTokenLifespan, refreshTokenLifespan, idTokenAlg, pkceRequired, updatedAt } = client
  const form = useContractForm(updateClient, {
    parts: { params: { clientId: client.clientId } },
    defaultValues: {
      ...{
        name,
        applicationType,
        redirectUris: [...redirectUris],
        grantTypes: [...grantTypes] as Values['grantTypes'],
      },
      postLogoutRedirectUris: [...postLogoutRedirectUris],
      backchannelLogoutUri: backchannelLogoutUri ?? '',
      allowedOrigins: [...client.allowedOrigins],
      ...{ accessTokenLifespan, refreshTokenLifespan, idTokenAlg, pkceRequired, updatedAt },
    },
    toBody: withNull,
    onDone,
  })
  return (
    <GroupForm form={form} onDone={onDone}>
      <FormText name={fieldsOf(form)('name')} label={t('name')} maxLength={100} />
      <ClientFields form={form} />
    </GroupForm>
  )
}

type NewProps = { applicationId: string; onDone: (clientId: string) => void }

/** Creates a client; its secret can then be read and copied on its page. */
export function NewClient({ applicationId, onDone }: NewProps) {
  const [t, tUi] = [useTranslations('clients'), useTranslations('ui')]
  const form = useContractForm<typeof createClient>(createClient, {
    parts: { params: { id: applicationId } },
    defaultValues: {
      ...{ clientId: '', name: '', applicationType: 'web', authMethod: 'client_secret_basic' },
      ...{ redirectUris: [''], postLogoutRedirectUris: [], backchannelLogoutUri: '', allowedOrigins: [] },
      grantTypes: ['authorization_code', 'refresh_token'],
      ...{ accessTokenLifespan: null, refreshTokenLifespan: null, idTokenAlg: 'RS256', pkceRequired: true },
    },
    toBody: withNull,
    onDone: ({ clientId }) => onDone(clientId),
  })
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={tUi('create')}>
      <FormText name={field('name')} label={t('name')} maxLength={100} />
      <FormText mono name={field('clientId')} label={t('clientId')} hint={t('clientIdHint')} maxLength={64} />
      <FormSelect
        name={field('authMethod')}
        label={t('authMethod')}
        hint={t('authMethodHint')}
        options={(['client_secret_basic', 'client_secret_post', 'none'] as const).map((value) => ({
          value,
          label: t(`authMethods.${value}`),
        }))}
      />
      <ClientFields form={form as FormOf<Values>} />
    </DialogForm>
  )
}
