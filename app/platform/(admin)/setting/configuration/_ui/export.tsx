'use client'

import { FileDown, KeyRound } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DownloadLink } from '@/components/export/download-link'
import { ownField } from '@/components/form/field-name'
import { PasswordField } from '@/components/form/password-field'
import { useErrorText } from '@/components/form/use-error-text'
import { useFailureText } from '@/components/form/use-failure-text'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { buttonClasses } from '@/components/ui/button-classes'
import { Card } from '@/components/ui/card'
import { saveFile } from '@/components/ui/save-file'
import { CallError, call, callAddress } from '@/lib/base/http/client'

/** The export without secrets, or with them after a passphrase was typed. */
export function Export({ mayWrite }: { mayWrite: boolean }) {
  const t = useTranslations('configuration')
  return (
    <section aria-labelledby="configuration-export" className="grid gap-2.5">
      <h2 id="configuration-export" className="text-section">
        {t('exportTitle')}
      </h2>
      <div className="grid gap-4 @min-[48rem]:grid-cols-2">
        <Card className="grid content-start gap-4">
          <div className="grid gap-1">
            <h3 className="font-semibold">{t('plainTitle')}</h3>
            <p className="text-ink-second text-table">{t('exportText')}</p>
          </div>
          <DownloadLink
            href={callAddress('/setting/configuration', {})}
            className={`${buttonClasses({ variant: 'primary' })} justify-self-start`}
          >
            <FileDown aria-hidden="true" className="size-4" />
            {t('download')}
          </DownloadLink>
        </Card>
        {mayWrite ? <Sealed /> : null}
      </div>
    </section>
  )
}

function Sealed() {
  const t = useTranslations('configuration')
  const [errorText, failureText] = [useErrorText(), useFailureText()]
  const [passphrase, setPassphrase] = useState('')
  const [fault, setFault] = useState<{ text: string; field: boolean } | null>(null)
  const [pending, setPending] = useState(false)
  const send = async () => {
    if (passphrase.trim().length < 12)
      return setFault({ text: errorText('errorConfigurationPassphraseShort'), field: true })
    setPending(true)
    setFault(null)
    try {
      const { exportSealedConfiguration } = await import('@/lib/operations/configuration-file/contract')
      const { configuration } = await call(exportSealedConfiguration, { body: { passphrase } })
      saveFile(new File([configuration], 'configuration-sealed.json', { type: 'application/json' }))
      setPassphrase('')
    } catch (error) {
      const fieldError = error instanceof CallError ? error.errorList[0] : undefined
      setFault({ text: await failureText(error), field: Boolean(fieldError) })
    } finally {
      setPending(false)
    }
  }
  return (
    <Card>
      <form
        noValidate
        className="grid content-start gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!pending) void send()
        }}
      >
        <div className="grid gap-1">
          <h3 className="font-semibold">{t('sealedTitle')}</h3>
          <p className="text-ink-second text-table">{t('sealedText')}</p>
        </div>
        <div className="grid gap-1.5">
          <PasswordField
            id="configuration-passphrase"
            name={ownField('passphrase')}
            label={t('passphrase')}
            describedBy="configuration-passphrase-hint"
            size="M"
            autoComplete="new-password"
            value={passphrase}
            onChange={({ target }) => setPassphrase(target.value)}
            {...(fault?.field ? { error: fault.text } : {})}
          />
          <p id="configuration-passphrase-hint" className="text-ink-second text-note">
            {t('passphraseHint')}
          </p>
        </div>
        {fault && !fault.field ? (
          <Alert tone="danger" role="alert">
            {fault.text}
          </Alert>
        ) : null}
        <Button type="submit" variant="secondary" pending={pending} className="justify-self-start">
          <KeyRound aria-hidden="true" className="size-4" />
          {t('downloadSealed')}
        </Button>
      </form>
    </Card>
  )
}
