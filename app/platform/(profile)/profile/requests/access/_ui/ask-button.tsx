'use client'

import { useTranslations } from 'next-intl'
import { CreateButton, type Created } from '@/components/form/create-button'

/** The button that asks for access, with its dialog; the roles of an application are chosen in it already. */
export function AskForAccess({ application }: { application: string | undefined }) {
  const t = useTranslations('access-requests')
  const form = () =>
    import('./ask-form').then(({ AskForm }) => ({ onDone }: { onDone: (made?: Created) => void }) => (
      <AskForm application={application} onDone={onDone} />
    ))
  return <CreateButton label={t('ask')} title={t('askTitle')} text={t('askText')} form={form} />
}
