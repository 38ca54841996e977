import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { TextLink } from '@/components/ui/text-link'
import type { Ctx } from '@/lib/base/context/ctx'
import { readCampaign } from '@/lib/documents/document-campaigns/service'
import type { DocumentCard } from '@/lib/documents/documents/contract'
import { Campaign } from './campaign'

/** The first tab: the facts of a document, and for an agreement how many people have accepted its versions. */
export async function Main({ ctx, document, mayWrite }: { ctx: Ctx; document: DocumentCard; mayWrite: boolean }) {
  const { id, type, format, code, languages, adminVisible, domainsCount: count, date, updatedAt } = document
  const [t, tc, campaign] = await Promise.all([
    getTranslations('documents'),
    getTranslations('document-campaigns'),
    type === 'agreement' ? readCampaign(ctx, { params: { id } }) : null,
  ])
  const facts = (
    <CardGroup title={tc('about')}>
      <KeyValues>
        <KeyValue label={t('code')}>
          <TextLink href={`/platform/law/${code}`}>
            <Mono>{code}</Mono>
          </TextLink>
        </KeyValue>
        <KeyValue label={t('format')}>{t(`formats.${format}`)}</KeyValue>
        <KeyValue label={t('languages')}>{languages.join(', ')}</KeyValue>
        <KeyValue label={t('domains')}>{count > 0 ? t('inDomains', { count }) : t('noDomains')}</KeyValue>
        <KeyValue label={t('adminVisible')}>{tc(adminVisible ? 'yes' : 'no')}</KeyValue>
        <KeyValue label={t('date')}>
          <DateTime value={date} />
        </KeyValue>
        <KeyValue label={tc('changed')}>
          <DateTime value={updatedAt} />
        </KeyValue>
      </KeyValues>
    </CardGroup>
  )
  if (!campaign) return facts
  const versions = Array.from({ length: campaign.version }, (_, index) => campaign.version - index)
  const accepted = new Map(campaign.versions.map((each) => [each.version, each.accepted]))
  return (
    <CardColumns
      side={
        <>
          {facts}
          <CardGroup title={tc('versions')}>
            <KeyValues>
              {versions.slice(0, 20).map((version) => (
                <KeyValue
                  key={version}
                  label={
                    version === campaign.version ? tc('currentVersion', { version }) : tc('versionNumber', { version })
                  }
                >
                  <span>{tc('accepted', { count: accepted.get(version) ?? 0 })}</span>
                  <TextLink
                    href={`/platform/law/${code}?version=${version}`}
                    aria-label={tc('readVersion', { version })}
                  >
                    {tc('read')}
                  </TextLink>
                </KeyValue>
              ))}
            </KeyValues>
          </CardGroup>
        </>
      }
    >
      <Campaign key={campaign.version} id={id} campaign={campaign} enabled={document.enabled} mayWrite={mayWrite} />
    </CardColumns>
  )
}
