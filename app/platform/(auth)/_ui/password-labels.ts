import { getTranslations } from 'next-intl/server'
import { passwordIds } from '@/components/plain/password-pair'

/** Returns the fields of `PasswordPair` for the summary of a failure, which links to them. */
export async function passwordLabels() {
  const t = await getTranslations('entry.password')
  return {
    password: { id: passwordIds.password, label: t('password') },
    repeatPassword: { id: passwordIds.repeatPassword, label: t('repeat') },
  }
}
