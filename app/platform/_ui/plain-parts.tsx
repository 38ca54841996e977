import { getTranslations } from 'next-intl/server'
import { publicScriptAddress } from '@/components/plain/public-script'
import { Alert } from '@/components/ui/alert'
import { buttonClasses } from '@/components/ui/button-classes'
import { pageNonce } from '@/lib/request/page'
import { WaysOut } from '../(auth)/_ui/ways-out'

/** The script of a page that works without one, and what it shows if no answer comes. */
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
        >
          <p>{errors('offline')}</p>
          <button
            type="submit"
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
