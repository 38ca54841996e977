import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { List } from '@/components/list/list'
import { Cell, Header, MenuCell, MenuHeader, Row, Table, TitleCell } from '@/components/list/table'
import { Breadcrumbs } from '@/components/ui/breadcrumbs'
import { Card } from '@/components/ui/card'
import { DateTime } from '@/components/ui/date-time'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { Pill } from '@/components/ui/pill'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { EntryQuery } from '@/lib/network/access-lists/contract'
import { listBlacklist, listWhitelist } from '@/lib/network/access-lists/entries'
import { developmentOnly } from '@/lib/request/development'
import { pageContext } from '@/lib/request/page'
import { type Entry, EntryMenu, EntryToggle } from '../_ui/entry-actions'

export async function generateMetadata(): Promise<Metadata> {
  developmentOnly()
  return { title: (await getTranslations('gallery'))('togglesPage') }
}

/** Entries of both lists. */
async function accessListEntries(ctx: Ctx): Promise<Entry[]> {
  const query = EntryQuery.parse({ meta: { perPage: 50 } })
  const [white, black] = await Promise.all([listWhitelist(ctx, { query }), listBlacklist(ctx, { query })])
  const titleOf = (list: Entry['list'], { accesses }: typeof white) =>
    accesses.map(({ ip, aliasName, ...entry }) => ({ ...entry, list, named: aliasName ?? ip ?? '' }))
  return [...titleOf('blacklist', black), ...titleOf('whitelist', white)]
}

async function State({ enabled }: Pick<Entry, 'enabled'>) {
  const t = await getTranslations('gallery.toggles')
  return <Pill tone={enabled ? 'ok' : 'neutral'}>{t(enabled ? 'on' : 'off')}</Pill>
}

/** The first entry, as the header of its card would show it. */
async function EntryCard({ entry, mayWrite }: { entry: Entry; mayWrite: boolean }) {
  const t = await getTranslations('gallery.toggles')
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="grid min-w-0 grow basis-60 gap-1">
        <h2 className="wrap-anywhere flex flex-wrap items-center gap-x-2.5 gap-y-1 text-section">
          {entry.named}
          <State enabled={entry.enabled} />
        </h2>
        <p className="text-ink-second text-note">{entry.comment || t(entry.list)}</p>
      </div>
      {mayWrite ? <EntryToggle entry={entry} /> : null}
    </Card>
  )
}

/** Toggles in rows and in a card. They switch real entries of the address lists. */
export default async function TogglesPage() {
  developmentOnly()
  const [{ ctx }, t, tg] = await Promise.all([
    pageContext(),
    getTranslations('gallery.toggles'),
    getTranslations('gallery'),
  ])
  const mayRead = holdsMethod(ctx, 'access-lists.read')
  const mayWrite = holdsMethod(ctx, 'access-lists.write')
  const entries = mayRead ? await accessListEntries(ctx) : []
  const [first] = entries
  return (
    <div className="min-h-dvh">
      <header className="border-line border-b bg-surface px-4 py-2 sm:px-7">
        <Breadcrumbs trail={[{ label: tg('toIndex'), href: '/platform/dev/ui' }, { label: tg('togglesPage') }]} />
      </header>
      <main
        id="main"
        tabIndex={-1}
        data-quiet-focus
        className="@container grid grid-cols-[minmax(0,1fr)] gap-5 px-4 py-6 sm:px-7"
      >
        <PageHeader title={tg('togglesPage')} text={t('lead')} />
        {first ? (
          <>
            <EntryCard entry={first} mayWrite={mayWrite} />
            <List>
              <Table
                caption={t('caption')}
                head={
                  <>
                    <Header>{t('named')}</Header>
                    <Header>{t('list')}</Header>
                    <Header>{t('state')}</Header>
                    <Header>{t('changed')}</Header>
                    {mayWrite ? <MenuHeader /> : null}
                  </>
                }
              >
                {entries.map((entry) => (
                  <Row key={entry.id}>
                    <TitleCell>{entry.named}</TitleCell>
                    <Cell label={t('list')}>{t(entry.list)}</Cell>
                    <Cell label={t('state')}>
                      <State enabled={entry.enabled} />
                    </Cell>
                    <Cell label={t('changed')} className="text-ink-second">
                      <DateTime value={entry.updatedAt} />
                    </Cell>
                    {mayWrite ? (
                      <MenuCell>
                        <EntryMenu entry={entry} />
                      </MenuCell>
                    ) : null}
                  </Row>
                ))}
              </Table>
            </List>
          </>
        ) : (
          <EmptyState title={t('noneTitle')} text={t(mayRead ? 'noneText' : 'signIn')} />
        )}
      </main>
    </div>
  )
}
