'use client'

import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { TypedDeletion } from '@/components/form/typed-deletion'
import { deleteUser } from '@/lib/account-administration/accounts/contract'

/** Deletes an account after the person has typed its login, and leaves its card. */
export function DeleteUser({ id, login }: { id: string; login: string }) {
  const t = useTranslations('users')
  const router = useRouter()
  return (
    <TypedDeletion
      word={login}
      label={t('deleteType', { login })}
      mismatch={t('deleteMismatch', { login })}
      verb={t('deleteVerb')}
      onDelete={(write) => write(deleteUser, { params: { id } }, { failure: 'form' })}
      onDone={() => router.replace('/platform/setting/users')}
    />
  )
}
