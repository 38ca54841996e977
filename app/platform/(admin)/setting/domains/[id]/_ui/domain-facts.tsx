import { getTranslations } from 'next-intl/server'
import type { ComponentProps, ReactNode } from 'react'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { Mark } from '@/components/look/mark'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import type { DomainEditor } from './editor'
import { identifierKinds } from './identifier-kinds'

type Props = Pick<ComponentProps<typeof DomainEditor>, 'domain' | 'known' | 'locales' | 'types'>

const Lines = ({ of }: { of: readonly ReactNode[] }) => (
  <span className="grid gap-1">
    {of.map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines that are only read
      <span key={index} className="wrap-anywhere">
        {line}
      </span>
    ))}
  </span>
)

/** A domain for people who may only read. */
export async function DomainFacts({ domain, known, locales, types }: Props) {
  const t = await getTranslations('domains')
  const nameOf = (id: string) => known.find(({ value }) => value === id)?.label ?? id
  const flags = ['loginRequired', 'footerVisible', 'menuVisible', 'profileVisible'] as const
  const yesNo = (isOn: boolean) => t(isOn ? 'yes' : 'no')
  const list = (lines: readonly ReactNode[]) => (lines.length > 0 ? <Lines of={lines} /> : null)
  const titled = (label: string, words: string) => (words ? `${label}: ${words}` : label)
  return (
    <CardColumns
      side={
        <>
          <CardGroup title={t('tabs.look')}>
            <KeyValues>
              <KeyValue label={t('styleTemplate')}>
                {t.has(`styles.${domain.styleTemplate}` as 'styles.default')
                  ? t(`styles.${domain.styleTemplate}` as 'styles.default')
                  : domain.styleTemplate}
              </KeyValue>
              <KeyValue label={t(domain.logoId ? 'logo' : 'imageCode')} tall>
                <Mark code={domain.imageCode} logo={domain.logoId} className="size-9 text-brand" />
              </KeyValue>
              <KeyValue label={t('publicDocsUrl')}>
                {domain.publicDocsUrl ? <Mono>{domain.publicDocsUrl}</Mono> : null}
              </KeyValue>
              <KeyValue label={t('cookie')}>{yesNo(domain.cookie)}</KeyValue>
            </KeyValues>
          </CardGroup>
          <CardGroup title={t('tabs.devices')}>
            <KeyValues>
              {types.map((type) => {
                const kinds = domain.devicesIdAttributes[type.id] ?? identifierKinds
                return (
                  <KeyValue key={type.id} label={type.name}>
                    {kinds.length > 0 ? kinds.map((kind) => t(`kinds.${kind}`)).join(' · ') : t('noKinds')}
                  </KeyValue>
                )
              })}
            </KeyValues>
          </CardGroup>
        </>
      }
    >
      <CardGroup title={t('tabs.addresses')}>
        <KeyValues>
          <KeyValue label={t('aliases')}>{list(domain.aliases.map((host) => <Mono key={host}>{host}</Mono>))}</KeyValue>
          <KeyValue label={t('comment')}>{domain.comment || null}</KeyValue>
          <KeyValue label={t('timeZone')}>{domain.timeZone || null}</KeyValue>
          <KeyValue label={t('type')}>{t(`types.${domain.type}`)}</KeyValue>
          {domain.base ? null : <KeyValue label={t('baseSettings')}>{yesNo(domain.baseSettings)}</KeyValue>}
          {domain.type === 'draft' ? (
            <KeyValue label={t('domains')}>{list(domain.domains.map(nameOf))}</KeyValue>
          ) : null}
        </KeyValues>
      </CardGroup>
      {domain.locales.map(({ localeId, enabled, settings }) => (
        <CardGroup
          key={localeId}
          title={t('textsIn', { locale: locales.find(({ id }) => id === localeId)?.name ?? localeId })}
          note={enabled ? undefined : t('localeOff')}
        >
          <KeyValues>
            <KeyValue label={t('projectTitle')}>{settings.projectTitle || null}</KeyValue>
            <KeyValue label={t('projectName')}>{settings.projectName || null}</KeyValue>
            <KeyValue label={t('siteName')}>{settings.siteName || null}</KeyValue>
            <KeyValue label={t('siteLink')}>{settings.siteLink ? <Mono>{settings.siteLink}</Mono> : null}</KeyValue>
            <KeyValue label={t('banners')}>{list(settings.banners.map(nameOf))}</KeyValue>
            <KeyValue label={t('copyright')}>{settings.copyright || null}</KeyValue>
            <KeyValue label={t('technical')}>
              {list(
                settings.technical.map(({ title, text, link, mobile }) =>
                  [titled(title, text), link, mobile].filter(Boolean).join(', '),
                ),
              )}
            </KeyValue>
          </KeyValues>
        </CardGroup>
      ))}
      <CardGroup title={t('tabs.documents')}>
        <KeyValues>
          <KeyValue label={t('agreements')}>
            {list(
              domain.agreements.map((agreement) =>
                titled(
                  nameOf(agreement.agreementId),
                  flags
                    .filter((flag) => agreement[flag])
                    .map((flag) => t(`flags.${flag}`))
                    .join(', '),
                ),
              ),
            )}
          </KeyValue>
          <KeyValue label={t('documents')}>{list(domain.documents.map(nameOf))}</KeyValue>
        </KeyValues>
      </CardGroup>
    </CardColumns>
  )
}
