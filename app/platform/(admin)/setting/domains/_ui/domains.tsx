import { getTranslations } from 'next-intl/server'
import { changedColumn, RowLink } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { cardPath } from '@/lib/base/navigation/screens'
import { type ListOf, readList } from '@/lib/request/list-page'
import { listDomains } from '@/lib/site/domains/administration'
import type { DomainQuery } from '@/lib/site/domains/contract'
import { domainName } from './domain-name'
import { CreateDomain, DomainRowMenu } from './domain-parts'
import { DomainPill } from './domain-pill'

/** The list with its search, filters and pager. */
export async function Domains({ ctx, query, address, mayWrite, chosenColumns }: ListOf<typeof DomainQuery>) {
  const [t, { domains: rows, meta }] = await Promise.all([
    getTranslations('domains'),
    readList(address, (place) => listDomains(ctx, { query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={rows}
      chosenColumns={chosenColumns}
      caption={t('caption')}
      search={t('search')}
      filters={[
        { kind: 'yesNo', name: 'enabled', label: t('enabled') },
        {
          kind: 'choice',
          name: 'type',
          label: t('type'),
          options: (['other', 'draft'] as const).map((value) => ({ value, label: t(`types.${value}`) })),
        },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText'), action: mayWrite ? <CreateDomain /> : null }}
      columns={[
        {
          title: true,
          label: t('address'),
          cell: (domain) => (
            <>
              <RowLink href={cardPath('PlatformDomain', domain.id)}>{domainName(domain, t)}</RowLink>
              {domain.base ? (
                <span className="ml-2 inline-block">
                  <Pill tone="info">{t('base')}</Pill>
                </span>
              ) : null}
              {domain.aliases.length > 1 ? (
                <span className="line-clamp-2 font-normal text-ink-second text-note">
                  <Mono>{domain.aliases.slice(1, 3).join(', ')}</Mono>
                  {domain.aliases.length > 3 ? ` ${t('moreAddresses', { count: domain.aliases.length - 3 })}` : ''}
                </span>
              ) : null}
            </>
          ),
        },
        {
          by: 'comment',
          label: t('comment'),
          priority: 2,
          cell: ({ comment }) => comment || <span className="text-ink-second">{t('none')}</span>,
        },
        { name: 'state', label: t('state'), cell: (domain) => <DomainPill {...domain} t={t} /> },
        {
          name: 'languages',
          label: t('languages'),
          priority: 2,
          cell: ({ baseSettings, locales }) =>
            baseSettings || locales.length === 0 ? (
              <span className="text-ink-second">{t('asBase')}</span>
            ) : (
              <span className="flex flex-wrap gap-1">
                {locales.map((code) => (
                  <Pill key={code} tone="neutral">
                    {code}
                  </Pill>
                ))}
              </span>
            ),
        },
        { ...changedColumn(t('changed'), 3) },
      ]}
      menu={(domain) => (
        <DomainRowMenu
          domain={domain}
          name={domainName(domain, t)}
          href={cardPath('PlatformDomain', domain.id)}
          own={domain.id === ctx.domain.id}
          mayWrite={mayWrite}
        />
      )}
    />
  )
}
