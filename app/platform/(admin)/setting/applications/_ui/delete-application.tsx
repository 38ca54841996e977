'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { TypedDeletion } from '@/components/form/typed-deletion'
import { deleteApplication } from '@/lib/openid/applications/contract'

type Props = { id: string; code: string; onDone: () => void }

/** Deletes an application after the person has typed its code, and leaves its card. */
export function DeleteApplication({ id, code, onDone }: Props) {
  const t = useTranslations('applications')
  const router = useRouter()
  const path = usePathname()
  return (
    <TypedDeletion
      word={code}
      label={t('deleteType', { code })}
      mismatch={t('deleteMismatch', { code })}
      verb={t('deleteVerb')}
      onDelete={(write) => write(deleteApplication, { params: { id } }, { failure: 'form' })}
      onDone={() => {
        onDone()
        if (path.endsWith(id)) router.replace('/platform/setting/applications')
      }}
    />
  )
}
