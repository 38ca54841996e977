import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { MonoList } from '@/components/ui/mono-list'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import type { ApplicationCard } from '@/lib/openid/applications/contract'
import { serviceMethodChoice } from '@/lib/openid/applications/service'
import { ServiceMethodsGroup } from './access-parts'
import { ApplicationGroup } from './card-parts'

type Props = { ctx: Ctx; application: ApplicationCard; mayWrite: boolean }

/** The methods of an application, which people hold by roles, and what its service account may do, and from where. */
export async function Access({ ctx, application, mayWrite }: Props) {
  const [t, choice] = await Promise.all([
    getTranslations('applications'),
    mayWrite ? serviceMethodChoice(ctx) : { methods: [] },
  ])
  const { methods, serviceMethods, ip } = application
  const group = { application, mayEdit: mayWrite }
  const empty = (text: string) => (
    <p className="rounded-card border border-line bg-surface px-4 py-3 text-ink-second">{text}</p>
  )
  return (
    <CardColumns
      side={
        <CardGroup title={t('accessHelp')}>
          <p className="text-ink-second text-table">{t('accessHelpText')}</p>
        </CardGroup>
      }
    >
      <ApplicationGroup {...group} title={t('methods')} note={t('methodsNote')} form="MethodsForm">
        {methods.length === 0 ? (
          empty(t('noMethods'))
        ) : (
          <KeyValues>
            {methods.map((method) => (
              <KeyValue key={method.id} label={localName(method, ctx.locale)}>
                <Mono>{method.code}</Mono>
                <span className="text-ink-second text-note">
                  {t('methodUse', { roles: method.roles, accounts: method.accounts })}
                </span>
              </KeyValue>
            ))}
          </KeyValues>
        )}
      </ApplicationGroup>
      <ServiceMethodsGroup application={application} methods={choice.methods} mayEdit={mayWrite}>
        {serviceMethods.length === 0 ? (
          empty(t('noServiceMethods'))
        ) : (
          <KeyValues>
            {serviceMethods.map((method) => (
              <KeyValue key={method.id} label={localName(method, ctx.locale)}>
                <Mono>{method.code}</Mono>
                {method.application ? <span className="text-ink-second text-note">{method.application}</span> : null}
              </KeyValue>
            ))}
          </KeyValues>
        )}
      </ServiceMethodsGroup>
      <ApplicationGroup {...group} title={t('ip')} form="AddressesForm">
        <KeyValues>
          <KeyValue label={t('ipRow')}>{ip.length > 0 ? <MonoList values={ip} max={20} /> : t('anyAddress')}</KeyValue>
        </KeyValues>
      </ApplicationGroup>
    </CardColumns>
  )
}
