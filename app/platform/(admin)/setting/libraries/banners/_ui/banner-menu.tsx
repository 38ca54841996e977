'use client'

import { Eye, EyeOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { CreateForm, type Creating, EditForm, withoutEmptyCode } from '@/components/form/record-forms'
import { RowActions } from '@/components/form/row-actions'
import type { FormOf } from '@/components/form/use-contract-form'
import { type Banner, createBanner, deleteBanner, showBanner, updateBanner } from '@/lib/site/banners/contract'

type Props = { form: FormOf<BodyOf<typeof createBanner>>; record?: Banner | undefined }

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

/** Creates a banner. */
export const NewBanner = (props: Creating) => (
  <CreateForm contract={createBanner} fields={BannerFields} empty={empty} toBody={withoutEmptyCode} {...props} />
)

/** The actions for a banner: edit, show or hide, and delete it. */
export function BannerMenu({ banner, name }: { banner: Banner; name: string }) {
  const t = useTranslations('banners')
  const { id, visible, domainsCount: count, title, code, text, link, updatedAt } = banner
  const values = { title, code, text, link, updatedAt }
  const edit = { contract: updateBanner, again: createBanner, fields: BannerFields, values, record: banner }
  const switched = sends(showBanner, { params: { id }, body: { visible: !visible, updatedAt } })
  return (
    <RowActions
      row={name}
      actions={[
        { kind: 'edit', title: t('editTitle', { name }), form: (onDone) => <EditForm {...edit} onDone={onDone} /> },
        visible
          ? {
              kind: 'confirm',
              label: t('hide'),
              icon: EyeOff,
              ask: { title: t('hideTitle', { name }), text: t('hideText', { count }) },
              sends: switched,
            }
          : { kind: 'call', label: t('show'), icon: Eye, sends: switched },
        {
          kind: 'remove',
          contract: deleteBanner,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          blocked: count > 0 ? { title: t('keepTitle', { name }), text: t('keepText', { count }) } : undefined,
        },
      ]}
    />
  )
}
