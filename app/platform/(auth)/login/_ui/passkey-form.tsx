import { useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { passkeyScriptAddress } from '@/components/plain/passkey-script'
import { PublicForm } from '@/components/plain/public-form'
import { Alert } from '@/components/ui/alert'
import { type ButtonLook, buttonClasses } from '@/components/ui/button-classes'
import { relyingPartyId } from '@/lib/base/http/relying-party'
import { pageNonce } from '@/lib/request/page'
import { failureBox } from '../../_ui/failure-alert'
import type { FormFailure } from '../../_ui/form-failure'

/** Says why a passkey was refused. The script tells the browser of one that nobody has. */
export function PasskeyFault({ failed }: { failed: FormFailure | null }) {
  const errorText = useErrorText()
  const code = failed?.errors.passkey
  if (!code) return null
  return (
    <div data-passkey-unknown={code === 'errorPasskeyUnknown' ? failed?.typed('passkeyId') : undefined}>
      <Alert {...failureBox(errorText(code === 'errorEmpty' ? 'errorPasskey' : code), true)} />
    </div>
  )
}

type Props = {
  button: Pick<ComponentProps<'button'>, 'children' | 'autoFocus'>
  look: ButtonLook
  /** Whether passkeys are offered in the field of the identifier too. */
  inField?: boolean
  /** Whether the page says that a passkey needs a script. */
  tells?: boolean
  /** Further fields. */
  children?: ReactNode
}

/** The form that a passkey signs. Only a script can ask for a passkey, so it is shown by one. */
export async function PasskeyForm({ button, look, inField, tells, children }: Props) {
  const nonce = await pageNonce()
  return (
    <>
      <PublicForm
        form="passkey"
        hidden
        data-passkey={relyingPartyId() ?? ''}
        {...(inField ? { 'data-passkey-in-field': '' } : {})}
        className="grid gap-3 [&[hidden]]:hidden"
      >
        {children}
        <input type="hidden" name="passkey" />
        <input type="hidden" name="passkeyId" />
        <button {...button} type="submit" hidden className={buttonClasses(look)} />
        <Canceled />
      </PublicForm>
      <Unsupported />
      {tells ? <WithoutScript /> : null}
      <script defer nonce={nonce} src={passkeyScriptAddress} data-page-script />
    </>
  )
}

function Canceled() {
  const t = useTranslations('entry.passkey')
  return (
    <p role="status" data-passkey-canceled={t('canceled')} className="text-ink-second text-note empty:hidden">
      {null}
    </p>
  )
}

function Unsupported() {
  const t = useTranslations('entry.passkey')
  return (
    <p hidden data-passkey-unsupported>
      {t('unsupported')}
    </p>
  )
}

function WithoutScript() {
  const t = useTranslations('entry.passkey')
  return <p className="hidden noscript:block">{t('script')}</p>
}
