'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { CardGroup } from '@/components/card/group'
import { useFailureText } from '@/components/form/use-failure-text'
import { Button } from '@/components/ui/button'
import { buttonClasses } from '@/components/ui/button-classes'
import { CopyButton } from '@/components/ui/copy-button'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Tabs } from '@/components/ui/tabs'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { call } from '@/lib/base/http/client'
import type { previewClaims } from '@/lib/openid/applications/contract'
import type { Snippet } from '@/lib/openid/clients/snippets'

type Props = {
  clientId: string
  issuer: string
  snippets: Snippet[]
  /** Where the client can be tried; null for people who may not, and for a client that signs nobody in. */
  trial: string | null
}

/** What the developer of an application needs: how to use this client, and what it would learn about the reader. */
export function Developer({ clientId, issuer, snippets, trial }: Props) {
  const t = useTranslations('clients')
  const discovery = `${issuer}/.well-known/openid-configuration`
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-7">
      <CardGroup title={t('developer')}>
        <Tabs
          label={t('developer')}
          className="overflow-clip rounded-card border border-line bg-surface [&>[role=tablist]]:px-3"
          tabs={snippets.map(({ id, code }) => ({
            id,
            label: t(`snippets.${id}`),
            content: (
              <div className="relative -mt-4">
                <span className="absolute top-2 right-2 rounded-control bg-surface">
                  <CopyButton value={code} what={t(`snippets.${id}`)} />
                </span>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: broken lines are hard to read, so it scrolls, by keyboard too */}
                <section aria-label={t(`snippets.${id}`)} tabIndex={0} className="overflow-x-auto pt-12 pb-4">
                  <pre className="w-max px-4 font-mono text-note">{code}</pre>
                </section>
              </div>
            ),
          }))}
        />
        <p className="text-ink-second text-note">{t('secretInEnvironment')}</p>
      </CardGroup>
      <CardGroup title={t('server')}>
        <KeyValues>
          <KeyValue label={t('issuer')}>
            <span className="flex min-w-0 items-center gap-1">
              <span className="wrap-anywhere min-w-0 font-mono text-note">{issuer}</span>
              <CopyButton value={issuer} what={t('issuer')} />
            </span>
          </KeyValue>
          <KeyValue label={t('discovery')}>
            <span className="flex min-w-0 items-center gap-1">
              <span className="wrap-anywhere min-w-0 font-mono text-note">{discovery}</span>
              <CopyButton value={discovery} what={t('discovery')} />
            </span>
          </KeyValue>
        </KeyValues>
      </CardGroup>
      <Preview clientId={clientId} trial={trial} />
    </div>
  )
}

/** Shows what the client would learn about the reader: without issuing anything, or by a trial sign-in in a new tab. */
function Preview({ clientId, trial }: Pick<Props, 'clientId' | 'trial'>) {
  const t = useTranslations('clients')
  const failureText = useFailureText()
  const [claims, setClaims] = useState<CallOutput<typeof previewClaims> | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const look = async () => {
    setPending(true)
    setFailure(null)
    try {
      const { previewClaims } = await import('@/lib/openid/applications/contract')
      setClaims(await call(previewClaims, { params: { clientId }, query: {} }))
    } catch (error) {
      setFailure(await failureText(error))
    } finally {
      setPending(false)
    }
  }
  const notes = claims
    ? [
        !claims.usable && t('notUsable'),
        claims.usable && !claims.open && t('notOpen'),
        claims.consent && t('asksConsent'),
      ]
    : []
  return (
    <CardGroup title={t('preview')}>
      <p className="text-ink-second text-note">{t('previewText')}</p>
      <div aria-live="polite" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {failure ? <p className="text-danger text-note">{failure}</p> : null}
        {notes.map((note) =>
          note ? (
            <p key={note} className="text-note text-warning">
              {note}
            </p>
          ) : null,
        )}
        {claims ? (
          <pre className="overflow-clip wrap-anywhere whitespace-pre-wrap rounded-card border border-line bg-surface p-4 font-mono text-note">
            {claims.claims}
          </pre>
        ) : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="S" pending={pending} onClick={look}>
          {t(claims ? 'previewAgain' : 'previewVerb')}
        </Button>
        {trial ? (
          <a
            href={trial}
            target="_blank"
            rel="noreferrer"
            className={buttonClasses({ variant: 'secondary', size: 'S' })}
          >
            {t('tryIt')}
          </a>
        ) : null}
      </div>
      {trial ? <p className="text-ink-second text-note">{t('tryHint')}</p> : null}
    </CardGroup>
  )
}
