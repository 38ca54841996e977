import { getTranslations } from 'next-intl/server'
import { ListEmpty } from '@/components/list/list-empty'
import { isFiltered } from '@/components/list/list-link'
import { ListSearch } from '@/components/list/list-search'
import { ListTools } from '@/components/list/list-tools'
import { Pager } from '@/components/list/pager'
import { buttonClasses } from '@/components/ui/button-classes'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { profileFieldViews } from '@/lib/companies/contractors/fields'
import type * as calls from '@/lib/companies/own-companies/contract'
import { listCompanies } from '@/lib/companies/own-companies/service'
import { requestPath } from '@/lib/request/request-path'
import { CompanyCard } from './company-card'

type Props = { ctx: Ctx; query: ServiceInput<typeof calls.listCompanies>['query']; address: ListAddress }

/** How many companies are overseen without a search. */
const fewAtMost = 5

/** The companies as cards, with search and pager if there are many. */
export async function Companies({ ctx, query, address }: Props) {
  const [t, tShell, tList, request, fields, { companies, meta }] = await Promise.all([
    getTranslations('companies'),
    getTranslations('shell'),
    getTranslations('ui.list'),
    requestPath(),
    profileFieldViews(ctx),
    listCompanies(ctx, { query }),
  ])
  const filtered = isFiltered(address)
  return (
    <>
      {filtered || meta.total > fewAtMost ? (
        <ListTools count={tList(filtered ? 'found' : 'total', { count: meta.total })}>
          <ListSearch address={address} label={t('search')} />
        </ListTools>
      ) : null}
      {companies.length > 0 ? (
        <ul className="grid gap-3">
          {companies.map((company) => (
            <li key={company.id}>
              <CompanyCard company={company} fields={fields} />
            </li>
          ))}
        </ul>
      ) : (
        <ListEmpty
          address={address}
          meta={meta}
          title={t('empty')}
          text={t('emptyText')}
          action={
            request ? (
              <a href={request} className={buttonClasses()}>
                {tShell('requestAccess')}
              </a>
            ) : null
          }
        />
      )}
      <Pager address={address} meta={meta} counted />
    </>
  )
}
