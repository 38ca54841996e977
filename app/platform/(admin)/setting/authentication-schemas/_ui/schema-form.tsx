'use client'

import { useLocale, useTranslations } from 'next-intl'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormSwitch } from '@/components/form/form-choice'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { CreateForm, type Creating, EditForm, type Editing, withoutEmptyCode } from '@/components/form/record-forms'
import type { FormOf } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import { firstFlowIds, flowIds } from '@/lib/access/authentication-schemas/flow-ids'
import { localName } from '@/lib/base/i18n/local-name'
import {
  type AuthenticationSchema,
  baseFlow,
  createAuthenticationSchema,
  updateAuthenticationSchema,
} from '@/lib/sign-in/schema-administration/contract'
import { FactorField } from './factor-field'

type Values = BodyOf<typeof createAuthenticationSchema>
type Props = { form: FormOf<Values>; record?: AuthenticationSchema | undefined }

function SchemaFields({ form, record }: Props) {
  const t = useTranslations('authentication-schemas')
  const locale = useLocale()
  const roles = useRemote('roles')
  const field = fieldsOf(form)
  const codeHint = record ? t(record.base ? 'codeFixed' : 'codeHint') : `${t('codeAuto')} ${t('codeHint')}`
  return (
    <>
      <FormText name={field('name')} label={t('name')} maxLength={100} />
      <FormText name={field('nameEn')} label={t('nameEn')} hint={t('nameEnHint')} maxLength={100} />
      <FactorField
        name={field('firstFactor')}
        label={t('firstFactor')}
        hint={`${t('firstFactorHint')} ${t(record?.base ? 'flowKept' : 'flowFree')}`}
        options={firstFlowIds}
        fixed={record?.base ? baseFlow : undefined}
      />
      <FactorField
        name={field('secondFactor')}
        label={t('secondFactor')}
        hint={t('secondFactorHint')}
        options={flowIds}
      />
      {record?.base ? null : (
        <FormCombobox
          multiple
          name={field('roles')}
          label={t('roles')}
          hint={t('rolesHint')}
          search={roles}
          chosen={record?.roles.map((role) => ({ value: role.id, label: localName(role, locale) })) ?? []}
        />
      )}
      <FormTextarea name={field('comment')} label={t('comment')} rows={2} maxLength={500} />
      <FormText mono name={field('code')} label={t('code')} hint={codeHint} maxLength={64} readOnly={record?.base} />
      {record ? null : <FormSwitch name={field('active')} label={t('active')} />}
    </>
  )
}

const empty: Values = {
  name: '',
  nameEn: '',
  code: '',
  comment: '',
  firstFactor: ['credentials'],
  secondFactor: [],
  roles: [],
  active: true,
}

/** Creates a schema. */
export const NewSchema = (props: Creating) => (
  <CreateForm
    contract={createAuthenticationSchema}
    fields={SchemaFields}
    empty={empty}
    toBody={withoutEmptyCode}
    {...props}
  />
)

const enabled = (factor: AuthenticationSchema['firstFactor']) =>
  factor.flatMap((flow) => (flow.enabled ? [flow.id] : []))

/** Edits a schema. */
export function EditSchema(of: Editing<AuthenticationSchema>) {
  const { name, nameEn, code, comment, firstFactor, secondFactor, roles, updatedAt } = of.record
  const values = {
    ...{ name, nameEn, code, comment, updatedAt },
    firstFactor: enabled(firstFactor),
    secondFactor: enabled(secondFactor),
    roles: roles.map(({ id }) => id),
  }
  return (
    <EditForm
      contract={updateAuthenticationSchema}
      again={createAuthenticationSchema}
      fields={SchemaFields}
      values={values}
      {...of}
    />
  )
}
