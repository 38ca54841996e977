import { getTranslations } from 'next-intl/server'
import { ListEmpty } from '@/components/list/list-empty'
import { isFiltered } from '@/components/list/list-link'
import { ListToolbar } from '@/components/list/list-toolbar'
import { Pager } from '@/components/list/pager'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { ListAddress } from '@/lib/kernel/list-address'
import type { listUserApplications } from '@/lib/oidc/consents/contract'
import { userApplications } from '@/lib/oidc/consents/service'
import { ApplicationCard } from './application-card'

type Props = { ctx: Ctx; query: VerbInput<typeof listUserApplications>['query']; address: ListAddress }

/** The applications with their tools: a card each, those of others first. */
export async function Applications({ ctx, query, address }: Props) {
  const [t, { applications, meta }] = await Promise.all([
    getTranslations('userApplications'),
    userApplications(ctx, { query }),
  ])
  // there is nothing to search in
  const none = meta.total === 0 && !isFiltered(address)
  return (
    <>
      {none ? null : (
        <ListToolbar
          address={address}
          query={query}
          meta={meta}
          search={t('search')}
          sorts={[{ by: 'name', label: t('search') }]}
          filters={[
            {
              kind: 'choice',
              name: 'type',
              label: t('types'),
              options: [
                { value: 'external', label: t('external') },
                { value: 'own', label: t('own') },
              ],
            },
          ]}
        />
      )}
      {applications.length > 0 ? (
        <ul className="grid gap-3">
          {applications.map((application) => (
            <li key={application.id}>
              <ApplicationCard
                application={application}
                name={(ctx.locale !== 'ru' && application.nameEn) || application.name}
              />
            </li>
          ))}
        </ul>
      ) : (
        <ListEmpty address={address} meta={meta} title={t('empty')} text={t('emptyText')} />
      )}
      {meta.pages > 1 ? <Pager address={address} meta={meta} /> : null}
    </>
  )
}
