import { getLocale, getTranslations } from 'next-intl/server'
import { CardList } from '@/components/card/card-list'
import { ListTable } from '@/components/list/list-table'
import { Pill } from '@/components/ui/pill'
import type { Role } from '@/lib/access/roles/contract'
import { type Holder, HolderQuery } from '@/lib/accounts/role-holders/contract'
import { listHolders } from '@/lib/accounts/role-holders/service'
import { localName } from '@/lib/base/i18n/local-name'
import type { CardContext } from '@/lib/request/card-page'
import { readList } from '@/lib/request/list-page'
import { GiveRole, HolderRowMenu } from './holder-parts'

type Props = { card: CardContext; role: Role; name: string; mayWrite: boolean }

/** The holders of a role, with the places. */
export function Holders(props: Props) {
  return (
    <CardList columns={2}>
      <Read {...props} />
    </CardList>
  )
}

async function Read({ card: { ctx, id, list }, role, name, mayWrite }: Props) {
  const { query, address } = list(HolderQuery)
  const [t, locale, { holders, meta }] = await Promise.all([
    getTranslations('roles'),
    getLocale(),
    readList(address, (place) => listHolders(ctx, { params: { id }, query: { ...query, ...place } })),
  ])
  const placeText = ({ organization, contractor }: Holder['places'][number]) => {
    if (!organization) return t('everywhere')
    if (!contractor) return localName(organization, locale)
    return t('placeOf', { contractor: contractor.name, organization: localName(organization, locale) })
  }
  const give = mayWrite ? <GiveRole role={{ id, roleType: role.roleType }} name={name} /> : null
  return (
    <>
      {give ? <div className="grid justify-self-end @max-[28rem]:justify-self-stretch print:hidden">{give}</div> : null}
      <ListTable
        cursor
        address={address}
        query={query}
        meta={meta}
        rows={holders}
        caption={t('holdersCaption')}
        search={t('holdersSearch')}
        empty={{ title: t('holdersEmptyTitle'), text: t('holdersEmptyText'), action: null }}
        columns={[
          {
            title: true,
            by: 'name',
            label: t('person'),
            cell: (holder) => (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                {holder.name || holder.login || t('nameless')}
                {holder.enabled ? null : <Pill>{t('personDisabled')}</Pill>}
                {holder.login && holder.name ? (
                  <span className="w-full font-normal text-ink-second text-note">{holder.login}</span>
                ) : null}
              </span>
            ),
          },
          {
            label: t('where'),
            whole: true,
            cell: ({ places, more }) => (
              <span className="grid gap-0.5">
                {places.map((place) => (
                  <span key={`${place.contractor?.id} ${place.organization?.id}`}>{placeText(place)}</span>
                ))}
                {more ? <span className="text-ink-second">{t('morePlaces')}</span> : null}
              </span>
            ),
          },
        ]}
        menu={(holder) =>
          mayWrite ? (
            <HolderRowMenu
              roleId={id}
              role={name}
              userId={holder.id}
              person={holder.name || holder.login || t('nameless')}
              places={holder.places.map((place) => ({
                text: placeText(place),
                organizationId: place.organization?.id,
                contractorId: place.contractor?.id,
              }))}
            />
          ) : null
        }
      />
    </>
  )
}
