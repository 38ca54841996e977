'use client'

import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import { withoutEmptyCode } from '@/components/form/record-forms'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { createOrganization, type Organization, updateOrganization } from '@/lib/companies/organizations/contract'
import { emptyRequisites, requisitesOf } from '@/lib/companies/requisites'
import { RequisiteFields } from '../../_ui/requisite-fields'

type Values = BodyOf<typeof createOrganization>

function OrganizationForm({ form, verb, codeHint }: { form: FormOf<Values>; verb: string; codeHint: string }) {
  const t = useTranslations('organizations')
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={verb}>
      <FormText name={field('name')} label={t('name')} maxLength={255} />
      <FormText name={field('nameEn')} label={t('nameEn')} hint={t('nameEnHint')} maxLength={255} />
      <FormText mono name={field('code')} label={t('code')} hint={codeHint} maxLength={64} />
      <RequisiteFields titled form={form} />
    </DialogForm>
  )
}

/** Creates an organization. */
export function NewOrganization({ onDone }: { onDone: (created: Created) => void }) {
  const t = useTranslations('organizations')
  const tUi = useTranslations('ui')
  const form = useContractForm(createOrganization, {
    defaultValues: { name: '', nameEn: '', code: '', ...emptyRequisites },
    toBody: withoutEmptyCode,
    onDone,
  })
  return <OrganizationForm form={form} verb={tUi('create')} codeHint={`${t('codeAuto')} ${t('codeHint')}`} />
}

/** Returns the form values of an organization as it was read. */
export function useOrganizationForm(organization: Organization, onDone: () => void) {
  const { id, name, nameEn, code, updatedAt } = organization
  return useContractForm(updateOrganization, {
    parts: { params: { id } },
    defaultValues: { name, nameEn, code, ...requisitesOf(organization), updatedAt },
    // an organization of an earlier version has no requisites
    ...(code ? {} : { toBody: withoutEmptyCode }),
    again: ({ updatedAt: _, ...body }) => sends(createOrganization, { body: withoutEmptyCode(body) }),
    onDone,
  })
}

/** Changes an organization. */
export function EditOrganization({ organization, onDone }: { organization: Organization; onDone: () => void }) {
  const t = useTranslations('organizations')
  const tUi = useTranslations('ui')
  const form = useOrganizationForm(organization, onDone)
  const codeHint = organization.code ? t('codeHint') : `${t('codeAuto')} ${t('codeHint')}`
  return <OrganizationForm form={form} verb={tUi('save')} codeHint={codeHint} />
}
