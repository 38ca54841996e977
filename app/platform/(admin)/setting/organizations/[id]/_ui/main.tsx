import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { RequisiteFacts } from '@/components/card/requisite-facts'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { shownCount } from '@/components/ui/shown-count'
import type { Counted } from '@/lib/base/lists/lists'
import type { OrganizationCard } from '@/lib/companies/organizations/contract'
import { NamesGroup, RequisitesGroup } from './card-parts'

/** The first tab: names, requisites, and beside them how much the organization is used. */
export async function Main({ organization, mayWrite }: { organization: OrganizationCard; mayWrite: boolean }) {
  const t = await getTranslations('organizations')
  const { name, nameEn, code, people, contractors, invitations, createdAt, updatedAt } = organization
  const amount = (counted: Counted) => t('amount', shownCount(counted))
  return (
    <CardColumns
      side={
        <CardGroup title={t('usage')}>
          <KeyValues>
            <KeyValue label={t('people')}>{amount(people)}</KeyValue>
            <KeyValue label={t('contractors')}>{amount(contractors)}</KeyValue>
            <KeyValue label={t('invitations')}>{amount(invitations)}</KeyValue>
            <KeyValue label={t('created')}>
              <DateTime value={createdAt} />
            </KeyValue>
            <KeyValue label={t('changed')}>
              <DateTime value={updatedAt} />
            </KeyValue>
          </KeyValues>
        </CardGroup>
      }
    >
      <NamesGroup organization={organization} mayEdit={mayWrite}>
        <KeyValues>
          <KeyValue label={t('name')}>{name}</KeyValue>
          <KeyValue label={t('nameEn')}>{nameEn || null}</KeyValue>
          <KeyValue label={t('code')}>{code ? <Mono>{code}</Mono> : null}</KeyValue>
        </KeyValues>
      </NamesGroup>
      <RequisitesGroup organization={organization} mayEdit={mayWrite}>
        <RequisiteFacts requisites={organization} />
      </RequisitesGroup>
    </CardColumns>
  )
}
