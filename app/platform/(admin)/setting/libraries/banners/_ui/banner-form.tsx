'use client'

import { useTranslations } from 'next-intl'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { CreateForm, type Creating, EditForm, type Editing } from '@/components/form/record-forms'
import type { FormOf } from '@/components/form/use-contract-form'
import { type Banner, createBanner, updateBanner } from '@/lib/site/banners/contract'

type Values = BodyOf<typeof createBanner>
type Props = { form: FormOf<Values>; record?: Banner | undefined }

function BannerFields({ form, record }: Props) {
  const t = useTranslations('banners')
  const field = fieldsOf(form)
  const codeHint = record ? t('codeHint') : `${t('codeAuto')} ${t('codeHint')}`
  return (
    <>
      <FormText name={field('title')} label={t('title')} maxLength={100} />
      <FormTextarea name={field('text')} label={t('text')} hint={t('textHint')} rows={3} maxLength={500} />
      <FormText mono name={field('link')} label={t('link')} hint={t('linkHint')} maxLength={1000} />
      <FormText mono name={field('code')} label={t('code')} hint={codeHint} maxLength={64} />
    </>
  )
}

const empty = { title: '', code: '', text: '', link: '' }

/** If it is empty, the server makes the code from the title. */
const toBody = ({ code, ...values }: Values): Values => (code?.trim() ? { ...values, code } : values)

/** Creates a banner. */
export const NewBanner = (props: Creating) => (
  <CreateForm contract={createBanner} fields={BannerFields} empty={empty} toBody={toBody} {...props} />
)

/** Edits a banner. */
export function EditBanner(of: Editing<Banner>) {
  const { title, code, text, link, updatedAt } = of.record
  const values = { title, code, text, link, updatedAt }
  return <EditForm contract={updateBanner} again={createBanner} fields={BannerFields} values={values} {...of} />
}
