'use client'

import { useTranslations } from 'next-intl'
import { GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import type { OrganizationCard } from '@/lib/companies/organizations/contract'
import { RequisiteFields } from '../../../_ui/requisite-fields'
import { useOrganizationForm } from '../../_ui/organization-form'

type Props = { organization: OrganizationCard; onDone: () => void }

export function NamesForm({ organization, onDone }: Props) {
  const t = useTranslations('organizations')
  const form = useOrganizationForm(organization, onDone)
  const field = fieldsOf(form)
  return (
    <GroupForm form={form} onDone={onDone}>
      <FormText name={field('name')} label={t('name')} maxLength={255} />
      <FormText name={field('nameEn')} label={t('nameEn')} hint={t('nameEnHint')} maxLength={255} />
      <FormText mono name={field('code')} label={t('code')} hint={t('codeHint')} maxLength={64} />
    </GroupForm>
  )
}

export function RequisitesForm({ organization, onDone }: Props) {
  const form = useOrganizationForm(organization, onDone)
  return (
    <GroupForm form={form} onDone={onDone}>
      <RequisiteFields form={form} />
    </GroupForm>
  )
}
