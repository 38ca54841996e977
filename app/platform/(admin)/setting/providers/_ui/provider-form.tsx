'use client'

import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormLines } from '@/components/form/form-lines'
import { FormSelect } from '@/components/form/form-select'
import { FormText } from '@/components/form/form-text'
import { CreateForm, type Creating } from '@/components/form/record-forms'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import { createProvider, defaultScopes, type Provider, updateProvider } from '@/lib/directory-sync/providers/contract'
import { providerTypes } from '@/lib/identity-providers/connections/kinds'
import { CheckConnection } from './check-connection'

type Values = BodyOf<typeof createProvider>
type Update = BodyOf<typeof updateProvider>

/** The address, and how the platform signs in to it. `type`: it exists already. */
export function ConnectionFields({ form, provider }: { form: FormOf<Update>; provider?: Provider | undefined }) {
  const t = useTranslations('providers')
  const field = fieldsOf(form)
  const chosen = useWatch({ name: 'type' }) as Values['type'] | undefined
  const type = provider?.type ?? chosen ?? 'keycloak'
  const { getValues } = useFormMethods<Values>()
  return (
    <>
      <FormText mono name={field('url')} label={t('url')} hint={t(`urlHints.${type}`)} maxLength={2048} />
      {type === 'keycloak' ? (
        <FormText mono name={field('realm')} label={t('realm')} hint={t('realmHint')} maxLength={255} />
      ) : null}
      <FormText
        mono
        name={field('clientId')}
        label={t('clientId')}
        hint={t(type === 'oidc' ? 'clientIdHintOidc' : 'clientIdHint')}
        maxLength={type === 'oidc' ? 255 : 64}
      />
      <FormText
        mono
        type="password"
        autoComplete="off"
        name={field('clientSecret')}
        label={t('clientSecret')}
        hint={provider ? t('secretKept') : t('secretHint')}
        maxLength={1024}
      />
      <CheckConnection
        body={() => {
          const { url, realm, clientId, clientSecret } = getValues()
          const connection = { type, url, realm: type === 'keycloak' ? (realm ?? '') : '', clientId }
          return { ...(provider ? { id: provider.id } : {}), ...connection, clientSecret: clientSecret ?? '' }
        }}
      />
    </>
  )
}

/** The mail domains that it claims. */
export function ClaimFields({ form }: { form: FormOf<Update> }) {
  const t = useTranslations('providers')
  return (
    <FormLines
      name={fieldsOf(form)('emailDomains')}
      label={t('emailDomains')}
      hint={t('emailDomainsHint')}
      rowLabel={t('emailDomain')}
      addLabel={t('emailDomainAdd')}
      max={100}
      maxLength={253}
    />
  )
}

/** The domains whose sign-in pages offer it, and what an OpenID provider is asked for. */
export function SignInFields({ form, provider }: { form: FormOf<Update>; provider?: Provider | undefined }) {
  const t = useTranslations('providers')
  const field = fieldsOf(form)
  const domains = useRemote('domains')
  const chosen = useWatch({ name: 'type' }) as Values['type'] | undefined
  return (
    <>
      <FormCombobox multiple name={field('domains')} label={t('domains')} hint={t('domainsHint')} search={domains} />
      {(provider?.type ?? chosen) === 'oidc' ? (
        <FormLines
          name={field('scopes')}
          label={t('scopes')}
          hint={t('scopesHint')}
          rowLabel={t('scope')}
          addLabel={t('scopeAdd')}
          max={20}
          maxLength={100}
        />
      ) : null}
    </>
  )
}

function ProviderFields({ form }: { form: FormOf<Values> }) {
  const t = useTranslations('providers')
  const field = fieldsOf(form)
  return (
    <>
      <FormSelect
        name={field('type')}
        label={t('type')}
        options={providerTypes.map((value) => ({ value, label: t(`types.${value}`) }))}
      />
      <FormText name={field('name')} label={t('name')} maxLength={100} />
      <ConnectionFields form={form as unknown as FormOf<Update>} />
      <SignInFields form={form as unknown as FormOf<Update>} />
    </>
  )
}

const empty = {
  type: 'keycloak' as const,
  name: '',
  url: '',
  realm: '',
  clientId: '',
  clientSecret: '',
  emailDomains: [],
  domains: [],
  scopes: [...defaultScopes],
}

const toBody = (values: Values): Values => ({
  ...values,
  ...(values.type === 'keycloak' ? {} : { realm: '' }),
  ...(values.type === 'oidc' ? {} : { scopes: [] }),
})

/** Adds a directory. */
export const NewProvider = (props: Creating) => (
  <CreateForm contract={createProvider} fields={ProviderFields} empty={empty} toBody={toBody} {...props} />
)

/** The form values of a directory as its card read it, for a group that edits a part of it. */
export function useProviderForm(provider: Provider, onDone: () => void) {
  const { id, name, url, realm, clientId, emailDomains, domains, scopes, updatedAt } = provider
  return useContractForm(updateProvider, {
    parts: { params: { id } },
    defaultValues: {
      ...{ name, url, realm, clientId, clientSecret: '', updatedAt },
      ...{ emailDomains: [...emailDomains], domains: [...domains], scopes: [...scopes] },
    },
    onDone,
  })
}
