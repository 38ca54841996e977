'use client'

import { Eye } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { sends } from '@/components/form/actions'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormCheckbox, FormSwitch } from '@/components/form/form-choice'
import { FormLocales } from '@/components/form/form-locales'
import { FormSelect } from '@/components/form/form-select'
import { FormText, FormTextarea } from '@/components/form/form-text'
import type { KnownLocale } from '@/components/form/known-locale'
import { withoutEmptyCode } from '@/components/form/record-forms'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { useErrorText } from '@/components/form/use-error-text'
import { useRead } from '@/components/form/use-read'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { PartFailed } from '@/components/ui/part-failed'
import type { RichText } from '@/components/ui/rich-text'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/lib/base/http/client'
import { createDocument, type DocumentCard, readDocument, updateDocument } from '@/lib/documents/documents/contract'
import { searchLocales } from '@/lib/site/locales/contract'

type Read = { locales: KnownLocale[]; document: DocumentCard | null }
type Values = BodyOf<typeof createDocument>

/** Reads the languages, and the document to edit; null while they load. */
const useDocument = (id?: string) =>
  useRead<Read>(async () => {
    const [{ locales }, document] = await Promise.all([
      call(searchLocales, { query: {} }),
      id ? call(readDocument, { params: { id } }) : null,
    ])
    return { locales, document }
  }, [id])

/** Shows the text of a language as people will see it, by the same sanitizer as their page. */
function Preview({ at }: { at: number }) {
  const t = useTranslations('documents')
  const { getValues } = useFormMethods<Values>()
  const [open, setOpen] = useState(false)
  const [Rich, setRich] = useState<typeof RichText | null>(null)
  const errorText = useErrorText()
  const show = () => {
    setOpen(true)
    void import('@/components/ui/rich-text').then((part) => setRich(() => part.RichText))
  }
  const { locales = [], format } = open ? getValues() : {}
  const { name, content } = locales[at] ?? {}
  return (
    <>
      <Button variant="secondary" size="S" onClick={show} className="justify-self-start">
        <Eye aria-hidden="true" className="size-4" />
        {t('preview')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('previewTitle')} size="L">
        <DialogBody>
          {name ? <p className="mb-4 font-semibold text-title">{name}</p> : null}
          {content && Rich ? (
            <Rich
              text={content}
              format={format ?? 'md'}
              fault={
                <Alert tone="danger" className="mb-4">
                  {errorText('errorTooTangled')}
                </Alert>
              }
            />
          ) : (
            <p>{content ? '' : t('previewEmpty')}</p>
          )}
        </DialogBody>
      </Dialog>
    </>
  )
}

function DocumentFields({ form, locales, isNew }: { form: FormOf<Values>; locales: KnownLocale[]; isNew: boolean }) {
  const t = useTranslations('documents')
  const field = fieldsOf(form)
  const options = <V extends string>(of: 'types' | 'formats', values: readonly V[]) =>
    values.map((value) => ({ value, label: t(`${of}.${value}` as 'types.agreement') }))
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <FormSelect name={field('type')} label={t('type')} options={options('types', ['agreement', 'document'])} />
        <FormSelect name={field('format')} label={t('format')} options={options('formats', ['md', 'html'])} />
      </div>
      <FormLocales
        name={field('locales')}
        label={t('texts')}
        locales={locales}
        empty={(localeId) => ({ localeId, name: '', linkName: '', content: '' })}
        state={(_, { code }) => (code === 'ru' ? t('main') : undefined)}
      >
        {(row, _, index) => (
          <>
            <FormText name={row('name')} label={t('name')} maxLength={200} />
            <FormText name={row('linkName')} label={t('linkName')} hint={t('linkNameHint')} maxLength={200} />
            <FormTextarea name={row('content')} label={t('content')} rows={10} />
            <Preview at={index} />
          </>
        )}
      </FormLocales>
      <FormText
        mono
        name={field('code')}
        label={t('code')}
        hint={isNew ? `${t('codeAuto')} ${t('codeHint')}` : t('codeHint')}
        maxLength={64}
      />
      <FormSwitch name={field('adminVisible')} label={t('adminVisible')} hint={t('adminVisibleHint')} />
    </>
  )
}

function Create({ locales, onDone }: Read & { onDone: (created: Created) => void }) {
  const tu = useTranslations('ui')
  const first = locales.find(({ code }) => code === 'ru') ?? locales[0]
  const form = useContractForm(createDocument, {
    defaultValues: {
      code: '',
      type: 'document',
      adminVisible: true,
      format: 'md',
      locales: [{ localeId: first?.id ?? '', name: '', linkName: '', content: '' }],
    },
    toBody: (values: Values) => withoutEmptyCode(values),
    onDone,
  })
  return (
    <DialogForm form={form} verb={tu('create')}>
      <DocumentFields form={form} locales={locales} isNew />
    </DialogForm>
  )
}

function Edit({ locales, document, onDone }: Read & { document: DocumentCard; onDone: () => void }) {
  const t = useTranslations('documents')
  const tu = useTranslations('ui')
  const { id, code, type, adminVisible, format, locales: texts, updatedAt } = document
  const form = useContractForm(updateDocument, {
    parts: { params: { id } },
    defaultValues: { code, type, adminVisible, format, locales: texts, agreeAgain: false, updatedAt },
    again: ({ updatedAt: _, agreeAgain: __, ...values }) => sends(createDocument, { body: values }),
    onDone,
  })
  return (
    <DialogForm form={form} verb={tu('save')}>
      <DocumentFields form={form} locales={locales} isNew={false} />
      {type === 'agreement' ? (
        <FormCheckbox name={fieldsOf(form)('agreeAgain')} label={t('agreeAgain')} hint={t('agreeAgainHint')} />
      ) : null}
    </DialogForm>
  )
}

function FormSkeleton({ failed, retry }: { failed: boolean; retry: () => void }) {
  return (
    <DialogBody className="grid gap-5">
      {failed ? <PartFailed retry={retry} /> : [1, 2, 3, 4].map((row) => <Skeleton key={row} className="h-10" />)}
    </DialogBody>
  )
}

/** Creates a document. */
export function NewDocument({ onDone }: { onDone: (created?: Created) => void }) {
  const { read, retry } = useDocument()
  if (!read || read === 'failed') return <FormSkeleton failed={read === 'failed'} retry={retry} />
  return <Create {...read} onDone={onDone} />
}

/** Edits a document. */
export function EditDocument({ id, onDone }: { id: string; onDone: () => void }) {
  const { read, retry } = useDocument(id)
  if (!read || read === 'failed' || !read.document) return <FormSkeleton failed={read === 'failed'} retry={retry} />
  return <Edit {...read} document={read.document} onDone={onDone} />
}
