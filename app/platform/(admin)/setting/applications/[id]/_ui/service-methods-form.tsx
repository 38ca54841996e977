'use client'

import { useTranslations } from 'next-intl'
import { GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { useContractForm } from '@/components/form/use-contract-form'
import type { Method } from '@/lib/access/roles/contract'
import { type ApplicationCard, updateServiceMethods } from '@/lib/openid/applications/contract'
import { MethodPicker } from '../../../roles/_ui/method-picker'

type Props = { application: ApplicationCard; methods: Method[]; onDone: () => void }

/** Chooses the methods of a service account; those that the caller lacks can't be given. */
export function ServiceMethodsForm({ application, methods, onDone }: Props) {
  const t = useTranslations('applications')
  const form = useContractForm(updateServiceMethods, {
    parts: { params: { id: application.id } },
    defaultValues: { methods: application.serviceMethods.map(({ id }) => id), updatedAt: application.updatedAt },
    // the fault of any method is shown at the list of methods
    fieldOf: (field) => field.replace(/^methods\..*/, 'methods'),
    onDone,
  })
  return (
    <GroupForm form={form} onDone={onDone}>
      <p className="text-ink-second text-table">{t('serviceMethodsSecrets')}</p>
      <MethodPicker headed name={fieldsOf(form)('methods')} label={t('serviceMethods')} methods={methods} />
    </GroupForm>
  )
}
