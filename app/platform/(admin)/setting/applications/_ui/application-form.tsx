'use client'

import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import { GroupFields } from '@/components/card/group-form'
import { sends } from '@/components/form/actions'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormSwitch } from '@/components/form/form-choice'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormSelect } from '@/components/form/form-select'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { CreateForm, type Creating, withoutEmptyCode } from '@/components/form/record-forms'
import { type FormOf, useContractForm } from '@/components/form/use-contract-form'
import { useRemote } from '@/components/form/use-remote'
import {
  applicationTypes,
  createApplication,
  isShowable,
  updateApplication,
} from '@/lib/applications/applications/contract'
import type { ApplicationCard } from '@/lib/openid/applications/contract'

type Values = BodyOf<typeof createApplication>
type Fields = { form: FormOf<Values> }

/** The type with its consequences. `fixed`: it can't be changed. */
export function TypeField({ form, fixed = false }: Fields & { fixed?: boolean }) {
  const t = useTranslations('applications')
  const field = fieldsOf(form)
  const type = useWatch({ name: 'type' }) as Values['type']
  const offered = applicationTypes.filter((candidate) => fixed || candidate !== 'internal')
  return (
    <FormSelect
      name={field('type')}
      label={t('type')}
      hint={fixed ? t('typeFixed') : t(`typeHints.${type}`)}
      disabled={fixed}
      options={offered.map((value) => ({ value, label: t(`types.${value}`) }))}
    />
  )
}

/** Its names and descriptions in both languages, and its code. */
export function NameFields({
  form,
  codeFixed = false,
  fresh = false,
}: Fields & { codeFixed?: boolean; fresh?: boolean }) {
  const t = useTranslations('applications')
  const field = fieldsOf(form)
  const hint = codeFixed ? t('codeFixed') : fresh ? `${t('codeAuto')} ${t('codeHint')}` : t('codeHint')
  return (
    <>
      <GroupFields>
        <FormText name={field('name')} label={t('name')} maxLength={100} />
        <FormText name={field('nameEn')} label={t('nameEn')} hint={t('nameEnHint')} maxLength={100} />
      </GroupFields>
      <FormText mono name={field('code')} label={t('code')} hint={hint} maxLength={64} disabled={codeFixed} />
      <GroupFields>
        <FormTextarea name={field('description')} label={t('description')} rows={2} maxLength={500} />
        <FormTextarea name={field('descriptionEn')} label={t('descriptionEn')} rows={2} maxLength={500} />
      </GroupFields>
    </>
  )
}

/** Its address and its place in menus. */
export function PlaceFields({ form, parent }: Fields & { parent?: { value: string; label: string } | undefined }) {
  const t = useTranslations('applications')
  const field = fieldsOf(form)
  const [type, url, visible] = useWatch({ name: ['type', 'url', 'menuVisible'] }) as [Values['type'], string, boolean]
  const groups = useRemote('applicationGroups')
  const applications = useRemote('applications')
  const domains = useRemote('domains')
  const showable = isShowable({ type, url: url || null })
  const hiddenReason =
    type === 'draft' ? t('noMenuDraft') : type === 'external' ? t('noMenuExternal') : t('noMenuAddress')
  return (
    <>
      <FormText mono name={field('url')} label={t('url')} hint={t('urlHint')} maxLength={2048} />
      <FormSwitch
        name={field('menuVisible')}
        label={t('menuVisible')}
        hint={showable ? t('menuHint') : hiddenReason}
        disabled={!showable && !visible}
      />
      <FormCombobox
        name={field('parentId')}
        label={t(type === 'virtual' ? 'parentOfGroup' : 'parent')}
        hint={t(type === 'virtual' ? 'parentOfGroupHint' : 'parentHint')}
        search={type === 'virtual' ? applications : groups}
        chosen={parent ? [parent] : []}
      />
      <FormCombobox multiple name={field('domains')} label={t('domains')} hint={t('domainsHint')} search={domains} />
    </>
  )
}

function ApplicationFields({ form }: Fields) {
  return (
    <>
      <TypeField form={form} />
      <NameFields fresh form={form} />
      <PlaceFields form={form} />
    </>
  )
}

const empty = {
  type: 'link' as const,
  name: '',
  nameEn: '',
  code: '',
  description: '',
  descriptionEn: '',
  url: '',
  menuVisible: false,
  parentId: null,
  domains: [],
}

/** Creates an application. */
export const NewApplication = (props: Creating) => (
  <CreateForm
    contract={createApplication}
    fields={ApplicationFields}
    empty={empty}
    toBody={withoutEmptyCode}
    {...props}
  />
)

/** The form values of an application as its card read it, for a group that edits a part of it. */
export function useApplicationForm(application: ApplicationCard, onDone: () => void) {
  const { id, type, code, name, nameEn, description, descriptionEn, url, menuVisible, parentId } = application
  const { swaggerUrl, helpUrl, compodocUrl, techUrl, ip, domains, updatedAt } = application
  const technical = { swaggerUrl, helpUrl, compodocUrl, techUrl }
  const nameFields = { type, code, name, nameEn, description, descriptionEn }
  const placed = { url: url ?? '', menuVisible, parentId, domains: [...domains] }
  return useContractForm(updateApplication, {
    parts: { params: { id } },
    defaultValues: { ...nameFields, ...placed, ...technical, ip: [...ip], updatedAt },
    again: ({ updatedAt: _, ...body }) => sends(createApplication, { body }),
    onDone,
  })
}
