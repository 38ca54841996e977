'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Field } from '@/components/form/field'
import { fieldsOf } from '@/components/form/field-name'
import { Form, FormErrors, useFormMethods } from '@/components/form/form'
import { FormCheckbox } from '@/components/form/form-choice'
import { FormSelect } from '@/components/form/form-select'
import { SelectBox } from '@/components/form/select-box'
import { SubmitButton } from '@/components/form/submit-button'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { useWriter } from '@/components/form/use-write'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import {
  checkUserImport,
  type ImportColumns,
  type ImportPreview,
  readImportColumns,
} from '@/lib/account-administration/user-import/contract'
import {
  dayOrders,
  importKeys,
  importModes,
  importTargets,
  missingTargets,
} from '@/lib/account-administration/user-import/offered'
import { encodingName, encodings } from '@/lib/base/tables/encodings'
import type { TableOptions } from '@/lib/base/tables/rows'
import { bodyOf, type Choices, type ReadFile, wizardButtons } from './choices'

type Props = ReadFile & {
  columns: ImportColumns
  choices: Choices
  onBack: (choices: Choices) => void
  onRead: (wishes: TableOptions, columns: ImportColumns) => void
  onChecked: (choices: Choices, preview: ImportPreview) => void
}

/** The target of each column, and what is done with the rows. Its submit button has the rows checked. */
export function ColumnsStep({ file, wishes, columns, choices, onBack, onRead, onChecked }: Props) {
  const t = useTranslations('user-import')
  const sent = useRef(choices)
  const form: ContractForm<Choices> = useContractForm<typeof checkUserImport, Choices>(checkUserImport, {
    defaultValues: choices,
    quiet: true,
    fieldOf: (field) => (field === 'columns' ? 'targets' : field),
    toBody: (values) => {
      sent.current = values
      return bodyOf({ file, wishes }, values)
    },
    onDone: (preview) => onChecked(sent.current, preview),
  })
  const field = fieldsOf(form)
  const targetNames = new Set<string>(importTargets)
  const options = columns.targets.map(({ id, title }) => ({
    value: id,
    label: targetNames.has(id) ? t(`targets.${id as (typeof importTargets)[number]}`) : title,
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
        <OtherReading file={file} source={columns.source} onRead={onRead} />
        <LackingTargets targets={columns.targets} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {columns.columns.map(({ name, doubled, doubt, samples, slashes }, index) => {
            const filledSamples = samples.filter(Boolean)
            const label = name || t('column', { at: index + 1 })
            const hint = [
              doubt ? t('doubt') : '',
              doubled ? t('doubled') : '',
              filledSamples.length > 0 ? t('samples', { values: filledSamples.join(', ') }) : t('noSamples'),
            ]
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other key; two may have one name
              <div key={index} className="grid grid-cols-[minmax(0,1fr)] gap-3">
                <FormSelect
                  name={field(`targets.${index}`)}
                  label={label}
                  fullLabel={label}
                  hint={hint.filter(Boolean).join('; ')}
                  options={options}
                  clearable
                />
                {slashes ? (
                  <IfDate at={index} targets={columns.targets}>
                    <FormSelect
                      name={field(`dayOrders.${index}`)}
                      label={t('dayOrder')}
                      fullLabel={t('dayOrderOf', { name: label })}
                      options={dayOrders.map((order) => ({ value: order, label: t(`dayOrders.${order}`) }))}
                    />
                  </IfDate>
                ) : null}
              </div>
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

type OtherReadingProps = { file: File; source: ImportColumns['source']; onRead: Props['onRead'] }

/** Reads the file again in another encoding or from another sheet, if the detected one is wrong. */
function OtherReading({ file, source, onRead }: OtherReadingProps) {
  const t = useTranslations('user-import')
  const { write, reason } = useWriter()
  const [fault, setFault] = useState<string | undefined>()
  const read = async (wishes: TableOptions) => {
    const outcome = await write(readImportColumns, { body: { file, ...wishes } }, { failure: 'form', quiet: true })
    if (outcome?.ok) onRead(wishes, outcome.output)
    else if (outcome) setFault(reason(outcome.error))
  }
  const errorProps = { ...(fault ? { error: fault } : {}) }
  if (source.kind === 'csv')
    return (
      <Field label={t('encoding')} hint={t('encodingHint')} {...errorProps}>
        {(bound) => (
          <SelectBox
            {...bound}
            value={source.encoding}
            options={encodings.map((encoding) => ({ value: encoding, label: encodingName(encoding) }))}
            onChange={(encoding) => void read({ encoding: encodings.find((each) => each === encoding) })}
          />
        )}
      </Field>
    )
  if (source.sheets.length < 2) return null
  return (
    <Field label={t('sheet')} {...errorProps}>
      {(bound) => (
        <SelectBox
          {...bound}
          value={String(source.sheet)}
          options={source.sheets.map((name, index) => ({ value: String(index + 1), label: name }))}
          onChange={(sheet) => void read({ sheet: Number(sheet) })}
        />
      )}
    </Field>
  )
}

type IfDateProps = Pick<ImportColumns, 'targets'> & { at: number; children: ReactNode }

/** Shows the choices for dates only while the column is to hold some. */
function IfDate({ at, targets, children }: IfDateProps) {
  const chosen: Choices['targets'] = useWatch({ name: 'targets' })
  return targets.find(({ id }) => id === chosen[at])?.date ? children : null
}

/** The required fields of new accounts that no column fills yet: a fault of the whole file, and not of each row. */
function LackingTargets({ targets }: Pick<ImportColumns, 'targets'>) {
  const t = useTranslations('user-import')
  const chosen: Choices['targets'] = useWatch({ name: 'targets' })
  const mode: Choices['mode'] = useWatch({ name: 'mode' })
  const lacking = mode === 'update' ? [] : missingTargets(chosen, targets)
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

/** How the columns were recognized, so that people can check it. */
function Source({ source }: Pick<ImportColumns, 'source'>) {
  const t = useTranslations('user-import.source')
  if (source.kind === 'xlsx') {
    const { sheet, sheets } = source
    return t(sheets.length > 1 ? 'xlsxMany' : 'xlsx', { sheet: sheets[sheet - 1] ?? '' })
  }
  const separators = { ';': 'semicolon', ',': 'comma', '\t': 'tab', '|': 'bar' } as const
  return t('csv', { separator: t(separators[source.separator]) })
}
