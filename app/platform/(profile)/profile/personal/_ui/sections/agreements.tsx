import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import type { ProfileDetails } from '@/lib/my-account/personal/contract'
import { AnswerAgreement } from '../answer-agreement'

type Term = ProfileDetails['termsInfo'][number]
const tones = { received: 'ok', refused: 'warning', notReceived: 'neutral' } as const

/** What the person agreed to and when; consent that isn't required for signing in can be given and withdrawn. */
export function Agreements({ terms }: { terms: readonly Term[] }) {
  return (
    <CardColumns>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {terms.map((term) => (
          <Agreement key={term.id} term={term} />
        ))}
      </ul>
    </CardColumns>
  )
}

async function Agreement({ term }: { term: Term }) {
  const t = await getTranslations('profile.agreements')
  const { title, link, status, agreedAt, agreedVersion, version, refusedAt, loginRequired } = term
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
      <div className="grid min-w-0 grow basis-72 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            href={link}
            prefetch={false}
            className="wrap-anywhere min-w-0 font-medium text-brand underline decoration-1 underline-offset-4"
          >
            {title}
          </Link>
          <Pill tone={tones[status]}>{t(`status.${status}`)}</Pill>
        </p>
        <p className="text-ink-second text-note">
          {status === 'received' && agreedAt
            ? t.rich('agreedAt', { version: String(version), time: () => <DateTime value={agreedAt} /> })
            : status === 'refused' && refusedAt
              ? t.rich('refusedAt', { time: () => <DateTime value={refusedAt} /> })
              : agreedVersion
                ? t('newVersion', { agreedVersion: String(agreedVersion), version: String(version) })
                : t('never')}
          {loginRequired ? ` ${t('required')}` : null}
        </p>
      </div>
      {loginRequired && status === 'received' ? null : <AnswerAgreement term={term} />}
    </li>
  )
}
