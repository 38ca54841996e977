'use client'

import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import { fieldsOf } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormCheckbox, FormSwitch } from '@/components/form/form-choice'
import { FormNumber, FormText, FormTextarea } from '@/components/form/form-text'
import type { FormOf } from '@/components/form/use-contract-form'
import { Alert } from '@/components/ui/alert'
import type { FieldError } from '@/lib/base/runtime/errors'
import {
  type FieldValues,
  hasItems,
  hasText,
  lockedParts,
  mayBeUnique,
  switchedFlags,
} from '@/lib/fields/dynamic-fields/rules'
import { BlockField } from './block-field'
import { ItemsField } from './items-field'
import { useKnownFields } from './known'
import { fieldCode, useMadeFrom } from './made-from'
import type { Field } from './read-fields'
import { TypeField } from './type-field'
import { useValueCount, ValueCount } from './value-count'
import type { Values } from './values'
import { WhoField } from './who-field'

type Props = { form: FormOf<Values>; field?: Field; doubles: readonly FieldError[] }

/**
 * The parts of a definition, as its type and its level of access allow (docs/rules/people.md#definitions-of-fields).
 */
export function FieldFields({ form, field: stored, doubles }: Props) {
  const t = useTranslations('dynamic-fields')
  const { type } = useKnownFields()
  const { setValue } = useFormMethods<Values>()
  const [fieldType, multiple] = useWatch<Values, ['fieldType', 'multiple']>({ name: ['fieldType', 'multiple'] })
  // values of shipped fields are columns, and their types are locked
  const counted = stored && !stored.systemic
  const count = useValueCount(counted ? stored : undefined)
  useMadeFrom('title', 'code', fieldCode, stored === undefined)
  const field = fieldsOf(form)
  const locks = stored ? lockedParts(stored) : new Set<keyof FieldValues>()
  const locked = (part: keyof FieldValues) => locks === 'all' || locks.has(part)
  const has = { items: hasItems({ fieldType }), text: hasText({ fieldType }) }
  const choose = (name: 'unique' | 'multiple') => (checked: boolean) => {
    for (const [flag, value] of Object.entries(switchedFlags(name, checked)))
      setValue(flag as 'unique', value, { shouldDirty: true })
  }
  const codeKept = typeof count === 'number' && count > 0
  const codeHint = locked('code') ? 'lockedPart' : codeKept ? 'codeHasValues' : stored ? 'codeHint' : 'codeAuto'
  return (
    <div className="@container grid grid-cols-[minmax(0,1fr)] gap-5">
      {counted ? (
        <p className="text-ink-second text-table">
          <ValueCount type={type} count={count} />
        </p>
      ) : null}
      {stored && locks !== 'all' && locks.size > 0 ? (
        <Alert tone="info">{t(stored.systemic ? 'lockedShipped' : `lockedLevel.${levelOf(stored)}`)}</Alert>
      ) : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 @min-[40rem]:grid-cols-2">
        <div className="grid gap-5">
          <FormText name={field('title')} label={t('title')} maxLength={100} />
          <FormText name={field('titleEn')} label={t('titleEn')} hint={t('titleEnHint')} maxLength={100} />
          <FormText
            mono
            name={field('code')}
            label={t('code')}
            hint={t(codeHint)}
            maxLength={64}
            readOnly={locked('code') || codeKept}
          />
          <BlockField name={field('subtype')} locked={locked('subtype')} />
          <FormTextarea name={field('comment')} label={t('comment')} hint={t('commentHint')} rows={2} maxLength={500} />
        </div>
        <div className="grid gap-5">
          <TypeField name={field('fieldType')} stored={stored} count={count} locked={locked('fieldType')} />
          <WhoField stored={stored} locked={locked} />
          {has.items ? (
            <FormCheckbox
              name={field('multiple')}
              label={t('multiple')}
              hint={t(locked('multiple') ? 'lockedPart' : 'multipleHint')}
              disabled={locked('multiple')}
              onChoose={choose('multiple')}
            />
          ) : null}
          {mayBeUnique({ fieldType, multiple: false }) ? (
            <FormCheckbox
              name={field('unique')}
              label={t('unique')}
              hint={t(locked('unique') ? 'lockedPart' : multiple ? 'uniqueOrMultiple' : 'uniqueHint')}
              disabled={locked('unique')}
              onChoose={choose('unique')}
            />
          ) : null}
          {doubles.length > 0 ? <Doubles doubles={doubles} /> : null}
          {has.text ? (
            <>
              <div className="grid grid-cols-2 items-start gap-3">
                <FormNumber name={field('minLength')} label={t('minLength')} disabled={locked('minLength')} />
                <FormNumber name={field('maxLength')} label={t('maxLength')} disabled={locked('maxLength')} />
              </div>
              <FormText
                mono
                name={field('pattern')}
                label={t('pattern')}
                hint={t(locked('pattern') ? 'lockedPart' : 'patternHint')}
                maxLength={200}
                readOnly={locked('pattern')}
              />
              <FormCheckbox name={field('latin')} label={t('latin')} disabled={locked('latin')} />
            </>
          ) : null}
          {stored ? null : <FormSwitch name={field('active')} label={t('active')} hint={t('activeHint')} />}
        </div>
      </div>
      {has.items ? <ItemsField name={field('items')} stored={stored} /> : null}
    </div>
  )
}

const levelOf = ({ actionsAccess, immutable }: Field) =>
  actionsAccess === 0 && immutable ? 'immutable' : actionsAccess >= 3 ? '3' : actionsAccess === 2 ? '2' : '1'

/** The values that several owners share, which prevent the field from becoming unique. */
function Doubles({ doubles }: { doubles: readonly FieldError[] }) {
  const t = useTranslations('dynamic-fields')
  return (
    <Alert tone="warning" title={t('doublesTitle')}>
      <ul className="grid gap-1">
        {doubles.map(({ params = {} }) => (
          <li key={String(params.value)} className="flex justify-between gap-4">
            <span className="min-w-0 break-words">{params.value}</span>
            <span className="shrink-0 tabular-nums">{t('doublesOwners', { count: Number(params.owners) })}</span>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
