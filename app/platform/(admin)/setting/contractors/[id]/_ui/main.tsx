import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { ContractorCard } from '@/lib/people/contractors/contract'
import { RequisiteFacts } from '../../../_ui/requisite-facts'
import { MainGroup } from './card-parts'

type Props = { contractor: ContractorCard; mayWrite: boolean }

/** The requisites of a contractor, and beside them its organizations and dates. */
export async function ContractorMain({ contractor, mayWrite }: Props) {
  const [t, tr] = await Promise.all([getTranslations('contractors'), getTranslations('requisites')])
  return (
    <CardColumns
      side={
        <>
          <CardGroup title={t('organizations')}>
            <KeyValues>
              {contractor.availableOrganizations.map(({ id, name }) => (
                <KeyValue key={id} label={t('organization')}>
                  {name}
                </KeyValue>
              ))}
              {contractor.availableOrganizations.length === 0 ? (
                <KeyValue label={t('organization')} missing={t('noOrganizations')} />
              ) : null}
            </KeyValues>
          </CardGroup>
          <KeyValues>
            <KeyValue label={t('created')}>
              <DateTime value={contractor.createdAt} />
            </KeyValue>
            <KeyValue label={t('changed')}>
              <DateTime value={contractor.updatedAt} />
            </KeyValue>
          </KeyValues>
        </>
      }
    >
      <MainGroup title={tr('title')} contractor={contractor} mayEdit={mayWrite}>
        <RequisiteFacts requisites={contractor}>
          <KeyValue label={t('name')}>{contractor.name}</KeyValue>
        </RequisiteFacts>
      </MainGroup>
    </CardColumns>
  )
}
