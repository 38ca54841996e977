'use client'

import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { fieldsOf } from '@/components/form/field-name'
import { Form, FormErrors, useFormMethods } from '@/components/form/form'
import { FormCheckbox } from '@/components/form/form-choice'
import { FormSelect } from '@/components/form/form-select'
import { SubmitButton } from '@/components/form/submit-button'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { checkUserImport, type ImportColumns, type ImportPreview } from '@/lib/entry/user-import/contract'
import { importKeys, importModes, importTargets, lackingTargets } from '@/lib/entry/user-import/offered'
import { bodyOf, type Choices, wizardButtons } from './choices'

type Props = {
  file: File
  columns: ImportColumns
  choices: Choices
  onBack: (choices: Choices) => void
  onChecked: (choices: Choices, preview: ImportPreview) => void
}

/** What each column holds, and what is done with its rows. Its verb has the rows checked. */
export function ColumnsStep({ file, columns, choices, onBack, onChecked }: Props) {
  const t = useTranslations('user-import')
  const sent = useRef(choices)
  const form: ContractForm<Choices> = useContractForm<typeof checkUserImport, Choices>(checkUserImport, {
    defaultValues: choices,
    quiet: true,
    fieldOf: (field) => (field === 'columns' ? 'targets' : field),
    toBody: (values) => {
      sent.current = values
      return bodyOf(file, values)
    },
    onDone: (preview) => onChecked(sent.current, preview),
  })
  const field = fieldsOf(form)
  const named = new Set<string>(importTargets)
  const options = columns.targets.map(({ id, title }) => ({
    value: id,
    label: named.has(id) ? t(`targets.${id as (typeof importTargets)[number]}`) : title,
  }))
  return (
    <Form form={form} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <FormErrors />
      <Card className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="grid gap-1">
          <h2 className="text-section">{t('columnsTitle')}</h2>
          <p className="text-ink-second text-note">
            <Source source={columns.source} />. {t('rows', { count: columns.rows })}. {t('columnsNote')}
          </p>
        </div>
        <Lacking targets={columns.targets} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {columns.columns.map(({ name, doubled, samples }, at) => {
            const shown = samples.filter(Boolean)
            const label = name || t('column', { at: at + 1 })
            const hint = [
              doubled ? t('doubled') : '',
              shown.length > 0 ? t('samples', { values: shown.join(', ') }) : t('noSamples'),
            ]
            return (
              <FormSelect
                // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other key; two may have one name
                key={at}
                name={field(`targets.${at}`)}
                label={label}
                alone={label}
                hint={hint.filter(Boolean).join('; ')}
                options={options}
                clearable
              />
            )
          })}
        </div>
      </Card>
      <Card className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 @min-[40rem]:grid-cols-2">
          <FormSelect
            name={field('by')}
            label={t('by')}
            options={importKeys.map((key) => ({ value: key, label: t(`bys.${key}`) }))}
          />
          <FormSelect
            name={field('mode')}
            label={t('mode')}
            options={importModes.map((mode) => ({ value: mode, label: t(`modes.${mode}`) }))}
          />
        </div>
        <FormCheckbox name={field('sendLinks')} label={t('sendLinks')} hint={t('sendLinksHint')} />
        <p className="text-ink-second text-note">{t('emptyNote')}</p>
      </Card>
      <div className={wizardButtons}>
        <Back onBack={onBack} />
        <SubmitButton>{t('check')}</SubmitButton>
      </div>
    </Form>
  )
}

/** Which required fields of new accounts no column holds yet: the matter of the whole file, and not of each of its rows. */
function Lacking({ targets }: Pick<ImportColumns, 'targets'>) {
  const t = useTranslations('user-import')
  const chosen: Choices['targets'] = useWatch({ name: 'targets' })
  const mode: Choices['mode'] = useWatch({ name: 'mode' })
  const lacking = mode === 'update' ? [] : lackingTargets(chosen, targets)
  const names = lacking.map(({ title }) => title).join(', ')
  return (
    <div role="status" className="empty:hidden">
      {lacking.length > 0 ? (
        <Alert tone="warning" title={t('lacking', { count: lacking.length, names })}>
          <p>{t('lackingText')}</p>
        </Alert>
      ) : null}
    </div>
  )
}

function Back({ onBack }: Pick<Props, 'onBack'>) {
  const t = useTranslations('user-import')
  const { getValues } = useFormMethods<Choices>()
  return (
    <Button variant="secondary" onClick={() => onBack(getValues())}>
      {t('back')}
    </Button>
  )
}

/** How the file was read, so that people see what was taken for what. */
function Source({ source }: Pick<ImportColumns, 'source'>) {
  const t = useTranslations('user-import.source')
  if (source.kind === 'xlsx') return t(source.sheets > 1 ? 'xlsxMany' : 'xlsx', { sheet: source.sheet })
  const separators = { ';': 'semicolon', ',': 'comma', '\t': 'tab' } as const
  return t('csv', { encoding: source.encoding.toUpperCase(), separator: t(separators[source.separator]) })
}
