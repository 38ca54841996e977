'use client'

import { useTranslations } from 'next-intl'
import { CreateButton, type Created } from '@/components/form/create-button'

/** The button that requests access, with its dialog; the roles of an application are already chosen in it. */
export function AskForAccess({ application }: { application: string | undefined }) {
  const t = useTranslations('access-requests')
  const form = () =>
    import('./ask-form').then(({ AskForm }) => ({ onDone }: { onDone: (created?: Created) => void }) => (
      <AskForm application={application} onDone={onDone} />
    ))
  return <CreateButton label={t('ask')} title={t('askTitle')} text={t('askText')} form={form} />
}
