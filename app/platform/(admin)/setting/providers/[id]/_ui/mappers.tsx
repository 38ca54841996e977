import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { EmptyState } from '@/components/ui/empty-state'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { type Mapper, type MapperField, mapperTypes } from '@/lib/directory-sync/provider-mappers/contract'
import {
  givenNames,
  listMapperFields,
  listProviderMappers,
  strongRoles,
} from '@/lib/directory-sync/provider-mappers/service'
import type { Provider } from '@/lib/directory-sync/providers/contract'
import { AddBaseMappers, CreateMapper, MapperRowMenu } from './mapper-parts'

type Props = { ctx: Ctx; provider: Provider; mayWrite: boolean }

/** The third tab: which attributes of the directory fill which fields, and which roles and methods they give. */
export async function Mappers({ ctx, provider, mayWrite }: Props) {
  const [sync] = provider.sync
  if (!sync) return null
  const syncId = sync.id
  const [t, { mappers }, { fields, sources }, strong] = await Promise.all([
    getTranslations('provider-mappers'),
    listProviderMappers(ctx, { params: { syncId } }),
    listMapperFields(ctx),
    strongRoles(),
  ])
  const names = await givenNames(mappers)
  const labels = Object.fromEntries([...names].map(([id, method]) => [id, localName(method, ctx.locale)]))
  const props = { syncId, fields, sources: sources[provider.type], access: provider.type !== 'oidc', strong }
  const add = mayWrite ? (
    <div className="flex flex-wrap gap-2">
      <AddBaseMappers syncId={syncId} first={mappers.length === 0} />
      <CreateMapper {...props} />
    </div>
  ) : null
  if (mappers.length === 0) return <EmptyState title={t('emptyTitle')} text={t('emptyText')} action={add} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
      {mapperTypes
        .filter((type) => type === 'users-base' || provider.type !== 'oidc')
        .map((type) => {
          const typeMappers = mappers.filter((mapper) => mapper.type === type)
          return (
            <CardGroup
              key={type}
              title={t(`groups.${type}`)}
              note={t(`groupNotes.${type}`)}
              action={type === 'users-base' ? add : null}
            >
              {typeMappers.length === 0 ? (
                <p className="rounded-card border border-line bg-surface px-4 py-3 text-ink-second">{t('none')}</p>
              ) : (
                <ul className="divide-y divide-line rounded-card border border-line bg-surface">
                  {typeMappers.map((mapper) => (
                    <li key={mapper.id} className="flex items-center gap-3 px-4 py-2.5">
                      <MapperLine mapper={mapper} fields={fields} named={labels} strong={strong} />
                      {mayWrite ? <MapperRowMenu mapper={mapper} name={mapper.name} named={labels} {...props} /> : null}
                    </li>
                  ))}
                </ul>
              )}
            </CardGroup>
          )
        })}
    </div>
  )
}

type LineProps = {
  mapper: Mapper
  fields: readonly MapperField[]
  named: Readonly<Record<string, string>>
  strong: readonly string[]
}

/** A mapper in one or two lines: its name and state, its source and its target. */
async function MapperLine({ mapper, fields, named, strong }: LineProps) {
  const t = await getTranslations('provider-mappers')
  const { type, name, before, after, enabled, customAttributes, attributes } = mapper
  const field = fields.find(({ code }) => code === after)
  return (
    <div className="grid min-w-0 grow gap-0.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="wrap-anywhere font-medium">{name}</span>
        {enabled ? null : <Pill>{t('off')}</Pill>}
        {field?.required ? <Pill tone="info">{t('required')}</Pill> : null}
      </div>
      {type === 'users-base' ? (
        <p className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-ink-second text-note">
          <Mono>{before}</Mono>
          {customAttributes ? <span>{t('customShort')}</span> : null}
          <span aria-hidden="true">→</span>
          <span className="sr-only">{t('becomes')}</span>
          <span className="wrap-anywhere text-ink">{field?.title ?? after}</span>
          {attributes.length > 0 ? <span>{t('pairsCount', { count: attributes.length })}</span> : null}
        </p>
      ) : (
        <ul className="grid gap-0.5 text-ink-second text-note">
          {attributes.map(({ id, attribute, value }) => (
            <li key={id} className="wrap-anywhere flex flex-wrap items-center gap-x-1.5">
              <span>{customAttributes ? (before ? `${before} =` : t('byKey')) : t('roleIs')}</span>
              <Mono>{attribute}</Mono>
              <span aria-hidden="true">→</span>
              <span className="sr-only">{t('gives')}</span>
              {after === 'method' ? <span>{t('methodIs')}</span> : null}
              <span className="wrap-anywhere text-ink">
                {named[value] ?? t(after === 'method' ? 'methodGone' : 'roleGone')}
              </span>
              {after === 'method' || strong.includes(value) ? <Pill tone="warning">{t('strongShort')}</Pill> : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
