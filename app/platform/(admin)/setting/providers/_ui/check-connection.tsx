'use client'

import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Mono } from '@/components/ui/mono'
import type { CallInput, CallOutput } from '@/lib/base/contracts/contract'
import { call } from '@/lib/base/http/client'
import type { checkProvider } from '@/lib/directory-sync/providers/contract'
import { type Outcome, TrialButton } from '../../_ui/trial-button'

type Body = CallInput<typeof checkProvider>['body']
type Checked = CallOutput<typeof checkProvider> & { openid: boolean }

/** Tries a connection, and shows the result: the number of people, or what is wrong and what to do. */
export function CheckConnection({ body }: { body: () => Body }) {
  const t = useTranslations('providers')
  const run = async (): Promise<Checked> => {
    const { checkProvider: contract } = await import('@/lib/directory-sync/providers/contract')
    const connection = body()
    return { ...(await call(contract, { body: connection })), openid: connection.type === 'oidc' }
  }
  return <TrialButton label={t('check')} run={run} told={(outcome) => <CheckResult outcome={outcome} />} />
}

function CheckResult({ outcome }: { outcome: Outcome<Checked> }) {
  const t = useTranslations('providers')
  if ('ok' in outcome) {
    const { people, openid } = outcome.ok
    if (openid) return <Alert tone="ok">{t('checkOkOpenid')}</Alert>
    return <Alert tone="ok">{people === null ? t('checkOk') : t('checkOkPeople', { people })}</Alert>
  }
  const { error, why } = outcome
  const rights = error.data.providerError?.requiredRights ?? []
  return (
    <Alert tone="danger">
      <p>{why}</p>
      {rights.length > 0 ? (
        <p className="mt-1 flex flex-wrap items-center gap-1.5">
          {t('requiredRights')}
          {rights.map((right) => (
            <Mono key={right}>{right}</Mono>
          ))}
        </p>
      ) : null}
    </Alert>
  )
}
