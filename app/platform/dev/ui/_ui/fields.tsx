'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useId, useMemo } from 'react'
import { fieldsOf } from '@/components/form/field-name'
import { Form, FormErrors } from '@/components/form/form'
import { FormCheckbox, FormSwitch } from '@/components/form/form-choice'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormPassword } from '@/components/form/form-password'
import { FormSelect } from '@/components/form/form-select'
import { FormDate, FormNumber, FormText, FormTextarea } from '@/components/form/form-text'
import { SubmitButton } from '@/components/form/submit-button'
import { useContractForm } from '@/components/form/use-contract-form'
import { type Search, searchIn } from '@/components/form/use-search'
import { Card } from '@/components/ui/card'
import { sampleFieldsCall } from './sample-contracts'

type Values = {
  text: string
  area: string
  password: string
  number: number | null
  date: string
  select: string | null
  one: string | null
  several: string[]
  agree: boolean
  enabled: boolean
  closed: string
}

const companies = Array.from({ length: 60 }, (_, index) => ({
  value: String(index + 1),
  label: `ООО «Монтаж-${index + 1}»`,
  note: `ИНН ${String(7701000000 + index * 7)}`,
}))

/** Every control, once in its initial state and once with errors. */
export function FieldStates() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 @min-[56rem]:grid-cols-2">
      <Fields wrong={false} />
      <Fields wrong />
    </div>
  )
}

function Fields({ wrong }: { wrong: boolean }) {
  const t = useTranslations('gallery.fields')
  const titleId = useId()
  const form = useContractForm<typeof sampleFieldsCall, Values>(sampleFieldsCall, {
    defaultValues: {
      text: '',
      area: '',
      password: '',
      number: wrong ? 5 : null,
      date: '',
      select: null,
      one: null,
      several: wrong ? [] : ['long'],
      agree: false,
      enabled: true,
      closed: t('readOnly'),
    },
    toBody: ({ closed: _, ...body }) => body as never,
    send: async () => ({}),
  })
  const field = fieldsOf(form)
  const { trigger } = form.form
  useEffect(() => {
    if (wrong) void trigger()
  }, [wrong, trigger])
  const roles = useMemo(
    () => (['systemic', 'organizational', 'contractor', 'long'] as const).map((value) => ({ value, label: t(value) })),
    [t],
  )
  const searchRoles = useMemo<Search>(() => searchIn(roles), [roles])
  const searchCompanies = useMemo<Search>(
    () => async (text, signal) => (await searchIn(companies)(text, signal)).slice(0, 20),
    [],
  )
  return (
    <Card role="group" aria-labelledby={titleId}>
      <h3 id={titleId} className="mb-4 text-ink-second text-table">
        {t(wrong ? 'errors' : 'usual')}
      </h3>
      <Form form={form}>
        <FormErrors />
        <FormText name={field('text')} label={t('text')} hint={t('textHint')} />
        <FormTextarea name={field('area')} label={t('area')} rows={3} />
        <FormPassword name={field('password')} label={t('password')} autoComplete="new-password" />
        <FormNumber name={field('number')} label={t('number')} unit={t('unit')} />
        <FormDate name={field('date')} label={t('date')} />
        <FormSelect name={field('select')} label={t('select')} options={roles} clearable />
        <FormCombobox name={field('one')} label={t('one')} search={searchCompanies} />
        <FormCombobox name={field('several')} label={t('several')} search={searchRoles} chosen={roles} multiple />
        <FormCheckbox name={field('agree')} label={t('agree')} />
        <FormSwitch name={field('enabled')} label={t('enabled')} hint={t('enabledHint')} />
        <FormText name={field('closed')} label={t('readOnly')} disabled />
        <div>
          <SubmitButton>{t('send')}</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}
