'use client'

import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormText } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import { type Contractor, createContractor, updateContractor } from '@/lib/companies/contractors/contract'
import { emptyRequisites } from '@/lib/companies/requisites'
import { RequisiteFields } from '../../_ui/requisite-fields'
import { LossWarning } from './loss-warning'

type Values = BodyOf<typeof createContractor>

type FieldsProps = { form: FormOf<Values>; contractor?: Pick<Contractor, 'id' | 'availableOrganizations'> }

/** The fields of a contractor. For an existing one they say what a change of organizations takes from people. */
export function ContractorFields({ form, contractor }: FieldsProps) {
  const t = useTranslations('contractors')
  const field = fieldsOf(form)
  const search = useRemote('organizations')
  return (
    <>
      <FormText name={field('name')} label={t('name')} maxLength={255} />
      <FormCombobox
        multiple
        name={field('availableOrganizations')}
        label={t('organizations')}
        hint={t('organizationsHint')}
        search={search}
        chosen={contractor?.availableOrganizations.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      />
      {contractor ? <LossWarning id={contractor.id} /> : null}
      <RequisiteFields titled kppNeeded form={form} />
    </>
  )
}

/** Creates a contractor. */
export function NewContractor({ onDone }: { onDone: (created: Created) => void }) {
  const t = useTranslations('ui')
  const defaultValues = { name: '', ...emptyRequisites, availableOrganizations: [] }
  const form = useContractForm(createContractor, { defaultValues, onDone })
  return (
    <DialogForm form={form} verb={t('create')}>
      <ContractorFields form={form} />
    </DialogForm>
  )
}

type EditProps = { contractor: Contractor; onDone: () => void }

/** The form values of a contractor as it was read. */
export function useContractorForm({ contractor, onDone }: EditProps) {
  const { id, enabled: _, people: __, invitations: ___, availableOrganizations, ...values } = contractor
  const ids = availableOrganizations.map(({ id }) => id)
  return useContractForm(updateContractor, {
    parts: { params: { id } },
    defaultValues: { ...values, availableOrganizations: ids },
    again: ({ updatedAt: _, ...body }) => sends(createContractor, { body }),
    onDone,
  })
}

/** Changes a contractor in a dialog. */
export function EditContractor({ contractor, onDone }: EditProps) {
  const t = useTranslations('ui')
  const form = useContractorForm({ contractor, onDone })
  return (
    <DialogForm form={form} verb={t('save')}>
      <ContractorFields form={form} contractor={contractor} />
    </DialogForm>
  )
}
