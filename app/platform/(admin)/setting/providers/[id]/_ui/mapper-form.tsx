'use client'

import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormCheckbox } from '@/components/form/form-choice'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormRows } from '@/components/form/form-rows'
import { FormSelect } from '@/components/form/form-select'
import { FormText } from '@/components/form/form-text'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import { Alert } from '@/components/ui/alert'
import {
  absentWays,
  createProviderMapper,
  type Mapper,
  type MapperType,
  mapperTypes,
  updateProviderMapper,
} from '@/lib/directory-sync/provider-mappers/contract'
import { type AccessTarget, accessSource, accessTargets } from '@/lib/identity-providers/connections/kinds'
import type { MapperGiven } from './mapper-parts'

type Values = BodyOf<typeof createProviderMapper>
type Fields = { form: FormOf<Values>; given: MapperGiven; named: Readonly<Record<string, string>> }

/**
 * Returns the first values of a mapper of a type; the form is reset to them when the type or the kind of the source
 * changes.
 */
const begun = (type: MapperType, customAttributes: boolean) => ({
  before: type === 'users-access' && !customAttributes ? accessSource : '',
  after: type === 'users-access' ? 'role' : '',
  customAttributes,
  absent: 'keep' as const,
  attributes: type === 'users-access' ? [{ attribute: '', value: '' }] : [],
})

function MapperFields({ form, given, named }: Fields) {
  const t = useTranslations('provider-mappers')
  const field = fieldsOf(form)
  const { setValue } = useFormMethods<Values>()
  const [type, custom] = useWatch({ name: ['type', 'customAttributes'] }) as [MapperType, boolean]
  const reset = (nextType: MapperType, nextCustom: boolean) => {
    for (const [name, value] of Object.entries(begun(nextType, nextCustom)))
      setValue(name as 'before', value as string, { shouldDirty: true })
  }
  return (
    <>
      <FormSelect
        name={field('type')}
        label={t('type')}
        options={mapperTypes
          .filter((value) => value === 'users-base' || given.access)
          .map((value) => ({ value, label: t(`types.${value}`) }))}
        onChoose={(value) => {
          setValue('type', value as MapperType, { shouldDirty: true })
          reset(value as MapperType, false)
        }}
      />
      <FormText name={field('name')} label={t('name')} hint={t('nameHint')} maxLength={100} />
      <FormCheckbox
        name={field('customAttributes')}
        label={t('custom')}
        hint={t('customHint')}
        onChoose={(chosenType) => reset(type, chosenType)}
      />
      {type === 'users-base' ? (
        <Base form={form} given={given} custom={custom} />
      ) : (
        <Access form={form} given={given} custom={custom} named={named} />
      )}
    </>
  )
}

function Base({ form, given, custom }: { form: FormOf<Values>; given: MapperGiven; custom: boolean }) {
  const t = useTranslations('provider-mappers')
  const field = fieldsOf(form)
  const after = useWatch({ name: 'after' }) as string
  const target = given.fields.find(({ code }) => code === after)
  const options = target?.options ?? []
  return (
    <>
      {custom ? (
        <FormText mono name={field('before')} label={t('attributeName')} hint={t('attributeHint')} maxLength={255} />
      ) : (
        <FormSelect
          name={field('before')}
          label={t('before')}
          options={given.sources.map((value) => ({ value, label: value }))}
        />
      )}
      <FormSelect
        name={field('after')}
        label={t('after')}
        hint={target?.required ? t('afterRequired') : undefined}
        options={given.fields.map(({ code, title }) => ({ value: code, label: title }))}
      />
      <FormSelect
        name={field('absent')}
        label={t('absent')}
        hint={t('absentHint')}
        options={absentWays.map((value) => ({ value, label: t(`absentWays.${value}`) }))}
      />
      <FormRows
        name={field('attributes')}
        label={t('pairs')}
        rowLabel={t('pair')}
        hint={t('pairsHint')}
        addLabel={t('pairAdd')}
        empty={() => ({ attribute: '', value: '' })}
        max={200}
      >
        {(row) => (
          <>
            <FormText mono name={row('attribute')} label={t('pairBefore')} maxLength={255} />
            {options.length > 0 ? (
              <FormSelect
                name={row('value')}
                label={t('pairAfter')}
                options={options.map(({ code, title }) => ({ value: code, label: title }))}
              />
            ) : (
              <FormText name={row('value')} label={t('pairAfter')} maxLength={255} />
            )}
          </>
        )}
      </FormRows>
    </>
  )
}

function Access({ form, given, custom, named }: Fields & { custom: boolean }) {
  const t = useTranslations('provider-mappers')
  const field = fieldsOf(form)
  const { setValue } = useFormMethods<Values>()
  const [roles, methods] = [useRemote('systemicRoles'), useRemote('systemicMethods')]
  const [before, target, attributes] = useWatch({ name: ['before', 'after', 'attributes'] }) as [
    string,
    AccessTarget,
    { value: string }[],
  ]
  const chosen = Object.entries(named).map(([value, label]) => ({ value, label }))
  const byKey = custom && before.trim() === ''
  const strong = attributes.flatMap(({ value }, index) =>
    (target === 'method' ? value : given.strong.includes(value)) ? [index + 1] : [],
  )
  return (
    <>
      {custom ? (
        <FormText mono name={field('before')} label={t('attributeName')} hint={t('keyHint')} maxLength={255} />
      ) : null}
      {strong.length > 0 ? (
        <Alert tone="warning" role="status">
          {t('strong', { target, count: strong.length, rows: strong.join(', ') })}
        </Alert>
      ) : null}
      <FormSelect
        name={field('after')}
        label={t('target')}
        options={accessTargets.map((value) => ({ value, label: t(`targets.${value}`) }))}
        onChoose={(value) => {
          setValue('after', value ?? 'role', { shouldDirty: true })
          setValue('attributes', [{ attribute: '', value: '' }], { shouldDirty: true })
        }}
      />
      <FormRows
        // another kind of access has other rows
        key={target}
        name={field('attributes')}
        label={t('access', { target })}
        rowLabel={t('accessPair', { target })}
        hint={t(byKey ? 'accessByKey' : custom ? 'accessByValue' : 'accessByRole', { target })}
        addLabel={t('accessAdd', { target })}
        empty={() => ({ attribute: '', value: '' })}
        min={1}
        max={200}
      >
        {(row) => (
          <>
            <FormText
              mono
              name={row('attribute')}
              label={t(byKey ? 'attributeName' : custom ? 'attributeValue' : 'directoryRole')}
              maxLength={255}
            />
            <FormCombobox
              name={row('value')}
              label={t('accessValue', { target })}
              search={target === 'method' ? methods : roles}
              chosen={chosen}
            />
          </>
        )}
      </FormRows>
    </>
  )
}

/** Adds a mapper. */
export function NewMapper({ given, onDone }: { given: MapperGiven; onDone: () => void }) {
  const t = useTranslations('ui')
  const form = useContractForm(createProviderMapper, {
    parts: { params: { syncId: given.syncId } },
    defaultValues: { type: 'users-base' as const, name: '', ...begun('users-base', false) },
    onDone: () => onDone(),
  })
  return (
    <DialogForm form={form} verb={t('create')}>
      <MapperFields form={form} given={given} named={{}} />
    </DialogForm>
  )
}

type Editing = { mapper: Mapper; given: MapperGiven; named: Readonly<Record<string, string>>; onDone: () => void }

/** Edits a mapper. */
export function EditMapper({ mapper, given, named, onDone }: Editing) {
  const t = useTranslations('ui')
  const { id, type, name, before, after, customAttributes, absent, attributes, updatedAt } = mapper
  const form = useContractForm(updateProviderMapper, {
    parts: { params: { syncId: given.syncId, id } },
    defaultValues: { type, name, before, after, customAttributes, absent, attributes: [...attributes], updatedAt },
    onDone,
  })
  return (
    <DialogForm form={form} verb={t('save')}>
      <MapperFields form={form} given={given} named={named} />
    </DialogForm>
  )
}
