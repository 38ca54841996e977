import { getTranslations } from 'next-intl/server'
import { pageAddress, pageFormToken, pageOutcome } from '@/lib/request/page'
import { Alert } from '../ui/alert'
import { buttonClasses } from '../ui/button-classes'

type Props = {
  label: string
  /** Where the person goes afterwards; by default back to this page. */
  to?: string
}

/** A button of a page without script that signs this browser out. It says so if that has failed. */
export async function PlainSignOut({ label, to }: Props) {
  const [token, back, outcome] = await Promise.all([pageFormToken(), pageAddress(), pageOutcome()])
  const t = await getTranslations('common')
  return (
    <form method="post" action="/platform/sign-out" id="sign-out-form" className="grid gap-3">
      {outcome?.form === 'signOut' ? (
        <Alert tone="danger" role="alert">
          <p>{t('signOutFailed')}</p>
        </Alert>
      ) : null}
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="form" value="signOut" />
      <input type="hidden" name="back" value={back} />
      {to ? <input type="hidden" name="to" value={to} /> : null}
      <button type="submit" className={buttonClasses({ variant: 'secondary', size: 'L' })}>
        {label}
      </button>
    </form>
  )
}
