import { getTranslations } from 'next-intl/server'
import { pageOutcome } from '@/lib/request/page'
import { Alert } from '../ui/alert'
import { buttonClasses } from '../ui/button-classes'
import { BackForm } from './public-form'

type Props = {
  label: string
  /** Where the person goes afterwards; by default back to this page. */
  to?: string
}

/** A button of a page without script that signs this browser out. It says so if that has failed. */
export async function PlainSignOut({ label, to }: Props) {
  const [t, outcome] = await Promise.all([getTranslations('common'), pageOutcome()])
  return (
    <BackForm action="/platform/sign-out" form="signOut" className="grid gap-3">
      {outcome?.form === 'signOut' ? (
        <Alert tone="danger" role="alert">
          <p>{t('signOutFailed')}</p>
        </Alert>
      ) : null}
      {to ? <input type="hidden" name="to" value={to} /> : null}
      <button type="submit" className={buttonClasses({ variant: 'secondary', size: 'L' })}>
        {label}
      </button>
    </BackForm>
  )
}
