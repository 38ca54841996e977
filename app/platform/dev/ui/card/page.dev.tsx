import { Building2 } from 'lucide-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Card, CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { HistoryList } from '@/components/history/history-list'
import { HistorySkeleton } from '@/components/history/history-skeleton'
import { Breadcrumbs } from '@/components/ui/breadcrumbs'
import { CopyButton } from '@/components/ui/copy-button'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { developmentOnly } from '@/lib/request/development'
import { SampleActions, SampleGroup } from '../_ui/card-parts'
import { sampleActs, sampleFields, sampleNames } from '../_ui/history-sample'
import { PartFailedExample } from '../_ui/tried'

const path = '/platform/dev/ui/card'
const tabs = ['data', 'history', 'empty', 'auditor', 'person'] as const
type Tab = (typeof tabs)[number]

export async function generateMetadata(): Promise<Metadata> {
  developmentOnly()
  return { title: (await getTranslations('gallery'))('cardPage') }
}

/** A card as in the administration, with sample values, in each of its states. */
export default async function ExampleCardPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  developmentOnly()
  const [t, tc, tg, { tab: requestedTab }] = await Promise.all([
    getTranslations('gallery.card'),
    getTranslations('ui.card'),
    getTranslations('gallery'),
    searchParams,
  ])
  const tab = tabs.find((each) => each === requestedTab) ?? 'data'
  const hrefOf = (each: Tab) => (each === 'data' ? path : `${path}?tab=${each}`)
  const address = { path, search: `tab=${tab}` }
  const meta = { perPage: 10, after: 'after', before: null }
  const parts: Record<Tab, () => ReactNode> = {
    data: () => <Data mayWrite />,
    history: () => (
      <HistoryList address={address} acts={sampleActs} names={sampleNames} fields={sampleFields} meta={meta} />
    ),
    empty: () => (
      <HistoryList address={address} acts={[]} names={{}} meta={{ perPage: 10, after: null, before: null }} />
    ),
    auditor: () => <Data mayWrite={false} />,
    person: () => <Parts />,
  }
  const usual = {
    title: t('title'),
    tile: <Building2 />,
    state: <Pill tone="ok">{t('enabled')}</Pill>,
    facts: [t('kind'), <Mono key="inn">7728168971</Mono>, t('people', { count: 214 })],
    actions: <SampleActions name={t('title')} />,
  }
  const headers = {
    data: usual,
    history: usual,
    empty: usual,
    auditor: {
      ...usual,
      title: t('endless'),
      state: <Pill>{t('disabled')}</Pill>,
      actions: null,
      readOnly: tc('readOnlyAs', { role: t('auditor') }),
    },
    person: {
      person: true,
      title: t('person'),
      tile: 'од',
      state: <Pill tone="ok">{t('active')}</Pill>,
      facts: ['d.orlov', t('place'), null],
      actions: <SampleActions name={t('person')} />,
    },
  }
  return (
    <div className="min-h-dvh">
      <header className="border-line border-b bg-surface px-4 py-2 sm:px-7">
        <Breadcrumbs trail={[{ label: tg('toIndex'), href: '/platform/dev/ui' }, { label: t('title') }]} />
      </header>
      <main id="main" tabIndex={-1} className="@container px-4 py-6 sm:px-7">
        <Card
          {...headers[tab]}
          tabs={tabs.map((each) => ({
            href: hrefOf(each),
            label: t(`tabs.${each}`),
            count: each === 'history' ? 1248 : null,
            badge: each === 'person' ? 3 : null,
          }))}
          current={hrefOf(tab)}
        >
          {parts[tab]()}
        </Card>
      </main>
    </div>
  )
}

async function Data({ mayWrite }: { mayWrite: boolean }) {
  const t = await getTranslations('gallery.card')
  const facts = (
    <KeyValues>
      <KeyValue label={t('name')}>{t('title')}</KeyValue>
      <KeyValue label={t('inn')} action={<CopyButton what={t('inn')} value="7728168971" />}>
        <Mono>7728168971</Mono>
      </KeyValue>
      <KeyValue label={t('kpp')} missing={t('missing')} />
      <KeyValue label={t('comment')} />
      <KeyValue label={t('long')}>{t('longValue')}</KeyValue>
    </KeyValues>
  )
  return (
    <CardColumns
      side={
        <>
          <CardGroup title={t('access')}>
            <KeyValues>
              <KeyValue label={t('roles')}>{t('rolesValue')}</KeyValue>
              <KeyValue label={t('requests')} />
            </KeyValues>
          </CardGroup>
          <CardGroup title={t('record')}>
            <KeyValues>
              <KeyValue label={t('created')}>
                <DateTime value="2024-02-11T05:40:00Z" />
              </KeyValue>
              <KeyValue label={t('changed')}>
                <DateTime value="2026-11-19T13:05:00Z" />
                <span className="text-ink-second text-note">{t('by')}</span>
              </KeyValue>
            </KeyValues>
          </CardGroup>
        </>
      }
    >
      <SampleGroup name={t('title')} inn="7728168971" mayEdit={mayWrite}>
        {facts}
      </SampleGroup>
      <CardGroup title={t('contacts')}>
        <KeyValues>
          <KeyValue label={t('email')}>
            office@montazh-7.example <Pill tone="ok">{t('confirmed')}</Pill>
          </KeyValue>
          <KeyValue label={t('phone')} />
        </KeyValues>
      </CardGroup>
    </CardColumns>
  )
}

/** A part of a card that can't be read, and one that is being read. */
function Parts() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
      <PartFailedExample />
      <HistorySkeleton />
    </div>
  )
}
