'use client'

import { Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import { sends } from '@/components/form/actions'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormTextarea } from '@/components/form/form-text'
import { RowActions } from '@/components/form/row-actions'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { type LocaleText, writeLocaleTexts } from '@/lib/messaging/locale-texts/contract'
import { seenText } from '../../../_ui/seen-text'
import { TextCasesNote } from '../../../_ui/text-cases-note'

type Props = { id: string; text: LocaleText; name: string; lang: string }

/** The actions for a text: edit it, and restore the shipped one. */
export function TextMenu({ id, text, name, lang }: Props) {
  const t = useTranslations('locale-texts')
  const { key } = text
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title: t('editTitle'),
          form: (done) => <TextForm id={id} text={text} lang={lang} onDone={done} />,
        },
        text.text !== null && {
          kind: 'confirm',
          label: t('reset'),
          icon: Undo2,
          ask: { title: t('resetTitle'), text: t(text.shipped === null ? 'resetMissing' : 'resetText', { key }) },
          sends: sends(
            writeLocaleTexts,
            { params: { id }, body: { texts: [{ key, text: '', version: text.version }] } },
            { params: { count: 1 } },
          ),
        },
      ]}
    />
  )
}

type Values = { text: string; updatedAt: string }

function TextForm({
  id,
  text: { key, source, shipped, text, version },
  lang,
  onDone,
}: Omit<Props, 'name'> & { onDone: () => void }) {
  const t = useTranslations('locale-texts')
  const tu = useTranslations('ui')
  const form: ContractForm<Values> = useContractForm<typeof writeLocaleTexts, Values>(writeLocaleTexts, {
    parts: { params: { id } },
    defaultValues: { text: text ?? shipped ?? '', updatedAt: version },
    toBody: (values) => ({ texts: [{ key, text: seenText(values.text), version: values.updatedAt }] }),
    fieldOf: (field) => field.replace(/^texts[.[]0\]?\./, ''),
    params: () => ({ count: 1 }),
    onDone,
  })
  return (
    <DialogForm form={form} verb={tu('save')}>
      <p className="font-mono text-ink-second text-note">{key}</p>
      <div className="grid gap-1.5">
        <p className="font-medium text-table">{t('source')}</p>
        <p lang="ru" className="wrap-anywhere whitespace-pre-line rounded-control bg-sunken px-3 py-2">
          {source}
        </p>
      </div>
      <FormTextarea
        name={fieldsOf(form)('text')}
        label={t('text')}
        hint={/[{<]/.test(source) ? t('textHint') : t('plainHint')}
        rows={3}
        maxLength={4000}
      />
      <Typed lang={lang} />
    </DialogForm>
  )
}

const Typed = ({ lang }: { lang: string }) => <TextCasesNote text={useWatch({ name: 'text' }) as string} lang={lang} />
