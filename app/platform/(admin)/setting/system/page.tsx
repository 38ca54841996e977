import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { ScreenPage } from '@/components/shell/screen-page'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { holdsMethod } from '@/lib/base/context/access'
import { aboutSystem } from '@/lib/operations/license/about'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { License } from './_ui/license'

export const generateMetadata = () => screenTitle('PlatformSystem')

/** The installed version, its environment, and its license. */
export default async function SystemPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/setting/system')
  const [t, parts, system] = await Promise.all([
    getTranslations('license'),
    getTranslations('diagnostics.parts'),
    aboutSystem(ctx),
  ])
  return (
    <ScreenPage name="PlatformSystem" texts="license" className="grid max-w-[60rem] grid-cols-[minmax(0,1fr)] gap-7">
      <License ctx={ctx} mayWrite={holdsMethod(ctx, 'license.write')} />
      <CardGroup title={t('about')}>
        <KeyValues>
          <KeyValue label={t('version')}>
            <span className="tabular-nums">{system.version}</span>
            {system.recommended ? (
              <span className="text-warning">{t('recommended', { version: system.recommended })}</span>
            ) : null}
          </KeyValue>
          <KeyValue label={t('address')}>{system.address}</KeyValue>
          <KeyValue label={t('mode')}>{t(`modes.${system.mode}`)}</KeyValue>
          <KeyValue label={t('mail')}>{t(system.mail ? 'mailServer' : 'outbox')}</KeyValue>
          <KeyValue label={t('sms')}>{t(system.sms)}</KeyValue>
          {system.parts.map(({ name, version }) => (
            <KeyValue key={name} label={parts(name)}>
              {version ? (
                <span className="tabular-nums">{version}</span>
              ) : (
                <span className="text-ink-second">{t('unchecked')}</span>
              )}
            </KeyValue>
          ))}
        </KeyValues>
      </CardGroup>
    </ScreenPage>
  )
}
