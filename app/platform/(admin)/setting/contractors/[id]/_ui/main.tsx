import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup, CardList } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { Ctx } from '@/lib/kernel/ctx'
import type { ContractorCard } from '@/lib/people/contractors/contract'
import { organizationOptions } from '@/lib/people/contractors/service'
import { RequisiteFacts } from '../../../_ui/requisite-facts'
import { EditableMain } from './card-parts'

type Props = { ctx: Ctx; contractor: ContractorCard; mayWrite: boolean }

/** The requisites of a contractor, and beside them its organizations and dates. */
export async function ContractorMain({ ctx, contractor, mayWrite }: Props) {
  const [t, tr, organizations] = await Promise.all([
    getTranslations('contractors'),
    getTranslations('requisites'),
    mayWrite ? organizationOptions(ctx) : [],
  ])
  const facts = (
    <RequisiteFacts requisites={contractor}>
      <KeyValue label={t('name')}>{contractor.name}</KeyValue>
    </RequisiteFacts>
  )
  return (
    <CardColumns
      side={
        <>
          <CardGroup title={t('organizations')}>
            <CardList items={contractor.availableOrganizations} none={t('noOrganizations')} />
          </CardGroup>
          <CardGroup title={t('record')}>
            <KeyValues>
              <KeyValue label={t('created')}>
                <DateTime value={contractor.createdAt} />
              </KeyValue>
              <KeyValue label={t('changed')}>
                <DateTime value={contractor.updatedAt} />
              </KeyValue>
            </KeyValues>
          </CardGroup>
        </>
      }
    >
      {mayWrite ? (
        <EditableMain title={tr('title')} contractor={contractor} organizations={organizations}>
          {facts}
        </EditableMain>
      ) : (
        <CardGroup title={tr('title')}>{facts}</CardGroup>
      )}
    </CardColumns>
  )
}
