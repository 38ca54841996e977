'use client'

import { useLocale, useTranslations } from 'next-intl'
import { GroupFields, GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormLines } from '@/components/form/form-lines'
import { FormRows } from '@/components/form/form-rows'
import { FormText } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { updateApplicationMethods } from '@/lib/applications/applications/contract'
import { localName } from '@/lib/base/i18n/local-name'
import type { ApplicationCard } from '@/lib/openid/applications/contract'
import { NameFields, PlaceFields, TypeField, useApplicationForm } from '../../_ui/application-form'

type Props = { application: ApplicationCard; onDone: () => void }

/** Edits its type, names, code and descriptions. */
export function NamesForm({ application, onDone }: Props) {
  const form = useApplicationForm(application, onDone)
  const fixed = application.immutable || application.type === 'internal'
  return (
    <GroupForm form={form} onDone={onDone}>
      <TypeField form={form} fixed={fixed} />
      <NameFields form={form} codeFixed={application.immutable} />
    </GroupForm>
  )
}

/** Edits its address and its place in menus. */
export function PlaceForm({ application, onDone }: Props) {
  const form = useApplicationForm(application, onDone)
  const locale = useLocale()
  const { parent } = application
  return (
    <GroupForm form={form} onDone={onDone}>
      <PlaceFields form={form} parent={parent ? { value: parent.id, label: localName(parent, locale) } : undefined} />
    </GroupForm>
  )
}

/** Edits the addresses for people who run it. */
export function TechnicalForm({ application, onDone }: Props) {
  const t = useTranslations('applications')
  const form = useApplicationForm(application, onDone)
  const field = fieldsOf(form)
  return (
    <GroupForm form={form} onDone={onDone}>
      <GroupFields>
        <FormText mono name={field('helpUrl')} label={t('helpUrl')} maxLength={2048} />
        <FormText mono name={field('swaggerUrl')} label={t('swaggerUrl')} maxLength={2048} />
        <FormText mono name={field('compodocUrl')} label={t('compodocUrl')} maxLength={2048} />
        <FormText mono name={field('techUrl')} label={t('techUrl')} hint={t('techUrlHint')} maxLength={2048} />
      </GroupFields>
    </GroupForm>
  )
}

/** Edits from where its service account may call. */
export function AddressesForm({ application, onDone }: Props) {
  const t = useTranslations('applications')
  const form = useApplicationForm(application, onDone)
  return (
    <GroupForm form={form} onDone={onDone}>
      <FormLines
        name={fieldsOf(form)('ip')}
        label={t('ip')}
        hint={t('ipHint')}
        rowLabel={t('ipRow')}
        addLabel={t('ipAdd')}
        max={100}
        maxLength={64}
      />
    </GroupForm>
  )
}

/** Edits its own methods, which its tokens name. */
export function MethodsForm({ application, onDone }: Props) {
  const t = useTranslations('applications')
  const form = useContractForm<typeof updateApplicationMethods>(updateApplicationMethods, {
    parts: { params: { id: application.id } },
    defaultValues: {
      methods: application.methods.map(({ id, code, name, nameEn }) => ({ id, code, name, nameEn })),
      updatedAt: application.updatedAt,
    },
    onDone,
  })
  return (
    <GroupForm form={form} onDone={onDone}>
      <FormRows
        name={fieldsOf(form)('methods')}
        label={t('methods')}
        rowLabel={t('method')}
        hint={t('methodsHint')}
        addLabel={t('methodAdd')}
        empty={() => ({ code: '', name: '', nameEn: '' })}
        max={200}
      >
        {(row) => (
          // a code is the longest of the three
          <div className="@container grid w-full min-w-0">
            <div className="grid gap-3 @min-[34rem]:grid-cols-[1.3fr_1fr_1fr]">
              <FormText mono name={row('code')} label={t('methodCode')} maxLength={64} />
              <FormText name={row('name')} label={t('name')} maxLength={100} />
              <FormText name={row('nameEn')} label={t('nameEn')} maxLength={100} />
            </div>
          </div>
        )}
      </FormRows>
    </GroupForm>
  )
}
