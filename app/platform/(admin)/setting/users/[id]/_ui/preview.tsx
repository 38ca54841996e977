import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { Alert } from '@/components/ui/alert'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { readUserPreview } from '@/lib/account-administration/user-preview/service'
import type { Ctx } from '@/lib/base/context/ctx'

type Props = { ctx: Ctx; id: string; allowed: boolean }

/** What a person sees and may do. For a person with more methods than the reader it says only that. */
export async function Preview({ ctx, id, allowed }: Props) {
  const t = await getTranslations('users')
  if (!allowed) return <Alert tone="info" title={t('previewBarred')} />
  const [screenName, groupName, flowName, { menus, services, methods, signIn }] = await Promise.all([
    getTranslations('shell.screens'),
    getTranslations('shell.groups'),
    getTranslations('authentication-schemas.flows'),
    readUserPreview(ctx, { params: { id } }),
  ])
  const nameOf = (name: string) => screenName(name as 'Notify')
  const flow = (flowId: string) => flowName(flowId as 'credentials')
  return (
    <CardColumns
      side={
        <CardGroup title={t('signIn')}>
          <KeyValues>
            <KeyValue label={t('schema')}>
              {signIn.schema} <span className="text-ink-second text-note">{t(`schemaBy.${signIn.by}`)}</span>
            </KeyValue>
            <KeyValue label={t('previewFirst')}>
              <ul className="grid gap-1">
                {signIn.first.map(({ id: flowId, usable }) => (
                  <li key={flowId} className="flex flex-wrap items-center gap-x-2">
                    {flow(flowId)}
                    {usable ? null : <Pill tone="warning">{t('previewUnreachable')}</Pill>}
                  </li>
                ))}
              </ul>
            </KeyValue>
            <KeyValue label={t('previewSecond')}>
              {signIn.second.some(({ flows }) => flows.length > 0) ? (
                <ul className="grid gap-1">
                  {signIn.second.map(({ after, flows }) => (
                    <li key={after}>{t('previewAfter', { flow: flow(after), next: flows.map(flow).join(', ') })}</li>
                  ))}
                </ul>
              ) : (
                <span className="text-ink-second">{t('previewOneFactor')}</span>
              )}
            </KeyValue>
          </KeyValues>
        </CardGroup>
      }
    >
      {signIn.stuck ? <Alert tone="warning" title={t('previewStuck')} /> : null}
      <CardGroup title={t('previewMenus')} note={t('previewNote')}>
        <KeyValues>
          {menus.map(({ group, screens }) => (
            <KeyValue key={group} label={groupName(group as 'people')}>
              {screens.map(nameOf).join(', ')}
            </KeyValue>
          ))}
        </KeyValues>
      </CardGroup>
      <CardGroup title={t('previewServices')}>
        <Names names={services} none={t('previewNoServices')} />
      </CardGroup>
      <CardGroup title={t('previewMethods')}>
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {methods.length === 0 ? <li className="px-4 py-3 text-ink-second">{t('previewNoMethods')}</li> : null}
          {methods.map(({ id: methodId, code, name, application }) => (
            <li key={methodId} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2 text-table">
              <span className="wrap-anywhere min-w-0 grow">{name}</span>
              <span className="text-ink-second text-note">{application}</span>
              <Mono>{code}</Mono>
            </li>
          ))}
        </ul>
      </CardGroup>
    </CardColumns>
  )
}

function Names({ names, none }: { names: readonly { id: string; name: string }[]; none: string }) {
  return (
    <ul className="divide-y divide-line rounded-card border border-line bg-surface">
      {names.length === 0 ? <li className="px-4 py-3 text-ink-second">{none}</li> : null}
      {names.map(({ id, name }) => (
        <li key={id} className="wrap-anywhere px-4 py-2 text-table">
          {name}
        </li>
      ))}
    </ul>
  )
}
