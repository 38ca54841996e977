import { getTranslations } from 'next-intl/server'
import { publicScriptAddress } from '@/components/plain/public-script'
import { Alert } from '@/components/ui/alert'
import { buttonClasses } from '@/components/ui/button-classes'
import { pageNonce } from '@/lib/request/page'
import { WaysOut } from '../(auth)/_ui/ways-out'

/** The script of a page that works without one, and what it shows if a form fails. */
export async function PlainParts() {
  const [t, errors, nonce] = await Promise.all([getTranslations('common'), getTranslations('errors'), pageNonce()])
  return (
    <>
      <template data-offline nonce={nonce}>
        <Alert
          tone="danger"
          role="alert"
          tabIndex={-1}
          title={errors('techErrorTitle')}
          aria-label={errors('techErrorTitle')}
          // not every page has a grid around its form or heading
          className="[:not(.gap-6)>&]:mb-4"
        >
          <p data-unanswered>{errors('offline')}</p>
          <p data-failed>{errors('techError')}</p>
          <p data-reference className="text-ink-second text-note">
            {t.rich('requestId', { id: () => <span className="break-all font-mono" /> })}
          </p>
          <button
            type="button"
            className={`${buttonClasses({ variant: 'secondary', size: 'S' })} mt-1.5 justify-self-start`}
          >
            {t('tryAgain')}
          </button>
          <WaysOut />
        </Alert>
      </template>
      <script defer nonce={nonce} src={publicScriptAddress} data-page-script />
    </>
  )
}
