import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { ServiceMark } from '@/components/shell/service-mark'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { domainsNamed } from '@/lib/applications/applications/details'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import type { ApplicationCard } from '@/lib/openid/applications/contract'
import { ApplicationGroup, IconField } from './card-parts'

type Props = { ctx: Ctx; application: ApplicationCard; mayWrite: boolean }

/**
 * The first tab: what the application is called, where it is, who finds it, and beside that the icon and short facts.
 */
export async function Main({ ctx, application, mayWrite }: Props) {
  const [t, domains] = await Promise.all([getTranslations('applications'), domainsNamed(application.domains)])
  const { type, name, nameEn, code, description, descriptionEn, url, menuVisible, parent, version } = application
  const applicationName = localName(application, ctx.locale)
  const group = { application, mayEdit: mayWrite }
  const address = (label: string, value: string): ReactNode => (
    <KeyValue label={label}>
      {value ? <span className="wrap-anywhere font-mono text-note">{value}</span> : null}
    </KeyValue>
  )
  return (
    <CardColumns
      side={
        <>
          <CardGroup title={t('icon')}>
            <div className="rounded-card border border-line bg-surface p-4">
              {mayWrite ? (
                <IconField application={application} name={applicationName} />
              ) : (
                <ServiceMark title={applicationName} icon={application.iconId} />
              )}
            </div>
          </CardGroup>
          <CardGroup title={t('facts')}>
            <KeyValues>
              <KeyValue label={t('version')}>{version}</KeyValue>
              <KeyValue label={t('place')}>{application.order + 1}</KeyValue>
              <KeyValue label={t('created')}>
                <DateTime value={application.createdAt} />
              </KeyValue>
              <KeyValue label={t('changed')}>
                <DateTime value={application.updatedAt} />
              </KeyValue>
            </KeyValues>
          </CardGroup>
        </>
      }
    >
      <ApplicationGroup {...group} title={t('names')} form="NamesForm">
        <KeyValues>
          <KeyValue label={t('type')}>
            <span className="grid">
              {t(`types.${type}`)}
              <span className="text-ink-second text-note">{t(`typeHints.${type}`)}</span>
            </span>
          </KeyValue>
          <KeyValue label={t('name')}>{name}</KeyValue>
          <KeyValue label={t('nameEn')}>{nameEn || null}</KeyValue>
          <KeyValue label={t('code')}>
            <Mono>{code}</Mono>
          </KeyValue>
          <KeyValue label={t('description')}>{description || null}</KeyValue>
          <KeyValue label={t('descriptionEn')}>{descriptionEn || null}</KeyValue>
        </KeyValues>
      </ApplicationGroup>
      <ApplicationGroup {...group} title={t('whereShown')} form="PlaceForm">
        <KeyValues>
          {address(t('url'), url ?? '')}
          <KeyValue label={t('menuColumn')}>{t(menuVisible ? 'shown' : 'hidden')}</KeyValue>
          <KeyValue label={t(type === 'virtual' ? 'parentOfGroup' : 'parent')}>
            {parent ? localName(parent, ctx.locale) : null}
          </KeyValue>
          <KeyValue label={t('domains')}>
            {domains.length > 0 ? domains.map((domain) => domain.comment).join(', ') : t('allDomains')}
          </KeyValue>
        </KeyValues>
      </ApplicationGroup>
      <ApplicationGroup {...group} title={t('technical')} note={t('technicalNote')} form="TechnicalForm">
        <KeyValues>
          {address(t('helpUrl'), application.helpUrl)}
          {address(t('swaggerUrl'), application.swaggerUrl)}
          {address(t('compodocUrl'), application.compodocUrl)}
          {address(t('techUrl'), application.techUrl)}
        </KeyValues>
      </ApplicationGroup>
    </CardColumns>
  )
}
