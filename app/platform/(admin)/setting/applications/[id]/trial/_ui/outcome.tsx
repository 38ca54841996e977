import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { Alert } from '@/components/ui/alert'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { scopeClaims } from '@/lib/openid/claims/service'
import type { Outcome as Learned } from '@/lib/openid/trials/trial-store'

/** Claims that are seconds since 1970. */
const times = new Set(['iat', 'exp', 'auth_time', 'updated_at'])

/** Returns the scope that gives a claim; undefined for a claim of the protocol. */
const scopeOf = (claim: string) => Object.entries(scopeClaims).find(([, claims]) => claims.includes(claim))?.[0]

type Claims = Readonly<Record<string, unknown>>

const words = (value: unknown) =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)]
const moment = (value: unknown) =>
  typeof value === 'number' ? <DateTime value={new Date(value * 1000)} form="full" /> : null

/** Returns a value as text: a short one in one line, so that a list of one word doesn't take three lines. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  const short = JSON.stringify(value)
  return short.length <= 60 ? short : JSON.stringify(value, null, 2)
}

/** The result of a trial sign-in: how the person was signed in, and what the application would learn. */
export async function Outcome({ outcome: { scope, at, idToken, userinfo, error } }: { outcome: Learned }) {
  const t = await getTranslations('client-trial')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {error ? (
        <Alert tone="danger" title={t('refused')}>
          <p>
            <Mono>{error.code}</Mono> <span className="wrap-anywhere">{error.description}</span>
          </p>
        </Alert>
      ) : (
        <Alert tone="ok">{t('well')}</Alert>
      )}
      <CardGroup title={t('how')}>
        <KeyValues>
          <KeyValue label={t('requested')}>
            {scope.split(' ').map((one) => (
              <Mono key={one}>{one}</Mono>
            ))}
          </KeyValue>
          <KeyValue label={t('begun')}>
            <DateTime value={at} form="full" />
          </KeyValue>
          {idToken ? (
            <>
              <KeyValue label={t('acr')}>
                {words(idToken.acr).map((one) => (
                  <Mono key={one}>{one}</Mono>
                ))}
              </KeyValue>
              <KeyValue label={t('amr')}>
                {words(idToken.amr).map((one) => (
                  <Mono key={one}>{one}</Mono>
                ))}
              </KeyValue>
              {idToken.auth_time ? <KeyValue label={t('authTime')}>{moment(idToken.auth_time)}</KeyValue> : null}
              <KeyValue label={t('issued')}>{moment(idToken.iat)}</KeyValue>
              <KeyValue label={t('expires')}>{moment(idToken.exp)}</KeyValue>
            </>
          ) : null}
        </KeyValues>
      </CardGroup>
      {idToken ? <ClaimList title={t('idToken')} claims={idToken} /> : null}
      {userinfo ? <ClaimList title={t('userinfo')} claims={userinfo} /> : null}
    </div>
  )
}

/** Claims by name, each with its value and the scope that gives it. */
async function ClaimList({ title, claims }: { title: string; claims: Claims }) {
  const t = await getTranslations('client-trial')
  return (
    <CardGroup title={title} note={t('claimCount', { count: Object.keys(claims).length })}>
      <dl className="@container divide-y divide-line rounded-card border border-line bg-surface">
        {Object.entries(claims).map(([name, value]) => {
          const scope = scopeOf(name)
          return (
            <div
              key={name}
              className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 @min-[40rem]:grid-cols-[17rem_minmax(0,1fr)] @min-[40rem]:items-baseline"
            >
              <dt className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="wrap-anywhere font-mono text-table">{name}</span>
                <span className="text-ink-second text-note">{scope ?? t('protocol')}</span>
              </dt>
              <dd className="min-w-0">
                <span className="wrap-anywhere whitespace-pre-wrap font-mono text-note">{valueText(value)}</span>
                {times.has(name) ? <span className="ml-3 text-ink-second text-note">{moment(value)}</span> : null}
              </dd>
            </div>
          )
        })}
      </dl>
    </CardGroup>
  )
}
