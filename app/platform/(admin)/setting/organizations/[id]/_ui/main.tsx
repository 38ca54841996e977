import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { toldCount } from '@/components/ui/told-count'
import type { Counted, OrganizationCard } from '@/lib/people/organizations/contract'
import { RequisiteFacts } from '../../../_ui/requisite-facts'
import { NamesGroup, RequisitesGroup } from './card-parts'

/** The first tab: names, requisites, and beside them how much the organization is used. */
export async function Main({ organization, mayWrite }: { organization: OrganizationCard; mayWrite: boolean }) {
  const [t, tRequisites] = await Promise.all([getTranslations('organizations'), getTranslations('requisites')])
  const { name, nameEn, code, people, contractors, invitations, createdAt, updatedAt } = organization
  const amount = (counted: Counted) => t('amount', toldCount(counted))
  const names = (
    <KeyValues>
      <KeyValue label={t('name')}>{name}</KeyValue>
      <KeyValue label={t('nameEn')}>{nameEn || null}</KeyValue>
      <KeyValue label={t('code')}>{code ? <Mono>{code}</Mono> : null}</KeyValue>
    </KeyValues>
  )
  const requisites = <RequisiteFacts requisites={organization} />
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
      {mayWrite ? (
        <NamesGroup organization={organization}>{names}</NamesGroup>
      ) : (
        <CardGroup title={t('names')}>{names}</CardGroup>
      )}
      {mayWrite ? (
        <RequisitesGroup organization={organization}>{requisites}</RequisitesGroup>
      ) : (
        <CardGroup title={tRequisites('title')}>{requisites}</CardGroup>
      )}
    </CardColumns>
  )
}
