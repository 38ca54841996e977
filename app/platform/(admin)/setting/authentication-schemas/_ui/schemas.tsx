import { Fingerprint, KeyRound, Mail, MessageSquareText, Smartphone } from 'lucide-react'
import { getFormatter, getTranslations } from 'next-intl/server'
import { Fragment } from 'react'
import { Pill } from '@/components/ui/pill'
import { localName } from '@/lib/base/i18n/local-name'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import type { AuthenticationSchema } from '@/lib/sign-in/schema-administration/contract'
import { SchemaOrder } from './schema-order'
import { SchemaRowMenu } from './schema-parts'

const icons = {
  credentials: KeyRound,
  email_code: Mail,
  sms_code: MessageSquareText,
  totp: Smartphone,
  passkey: Fingerprint,
}
/** How many roles a row names. */
const namedRoles = 2

type Flow = { id: FlowId; active: boolean }
type Props = { schemas: AuthenticationSchema[]; flows: Flow[]; locale: string; mayWrite: boolean }

/** The schemas in their order, each with its factors, its roles and how many people it applies to. */
export async function Schemas({ schemas, flows, locale, mayWrite }: Props) {
  const [t, format] = await Promise.all([getTranslations('authentication-schemas'), getFormatter()])
  const activeFlows = new Set(flows.flatMap(({ id, active }) => (active ? [id] : [])))
  const usersOf = ({ base, roles, ownCount }: AuthenticationSchema) => {
    if (base) return t('baseFor')
    const names = roles.slice(0, namedRoles).map((role) => t('quoted', { name: localName(role, locale) }))
    const more = roles.length - names.length
    const namesText = names.join(', ')
    return [
      ...(more > 0 ? [t('forRolesMore', { names: namesText, more })] : []),
      ...(more === 0 && names.length > 0 ? [t('forRoles', { names: namesText, count: names.length })] : []),
      ...(ownCount > 0 ? [t('forOwn', { count: ownCount })] : []),
    ].join(', ')
  }
  const items = schemas.map((schema) => {
    const name = localName(schema, locale)
    const factors = (['firstFactor', 'secondFactor'] as const).map((factor) => ({
      factor,
      chosen: schema[factor].filter(({ enabled }) => enabled),
    }))
    return {
      id: schema.id,
      name,
      fixed: schema.base,
      side: format.number(schema.usersCount),
      menu: mayWrite ? <SchemaRowMenu schema={schema} name={name} /> : undefined,
      body: (
        <div className="grid gap-1.5">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 break-words font-medium">{name}</span>
            {schema.base ? <Pill tone="info">{t('basePill')}</Pill> : null}
            {schema.active ? null : <Pill>{t('off')}</Pill>}
            <span className="min-w-0 break-words text-ink-second text-table">{usersOf(schema) || t('forNobody')}</span>
          </div>
          <p className="flex flex-wrap items-center gap-1.5 text-note">
            {factors.map(({ factor, chosen }) =>
              chosen.map(({ id }, index) => {
                const Icon = icons[id]
                const label = t(`flows.${id}`)
                return (
                  <Fragment key={`${factor} ${id}`}>
                    {index > 0 ? <span className="text-ink-second">{t('or')}</span> : null}
                    {index === 0 && factor === 'secondFactor' ? (
                      <span className="text-ink-second">{t('then')}</span>
                    ) : null}
                    <span className="inline-flex items-center gap-1.5 rounded-control border border-line bg-surface px-2 py-0.5">
                      <Icon aria-hidden="true" className="size-3.5 shrink-0 text-ink-second max-[22rem]:hidden" />
                      {activeFlows.has(id) ? label : t('notReady', { flow: label })}
                    </span>
                  </Fragment>
                )
              }),
            )}
          </p>
        </div>
      ),
    }
  })
  return (
    <section aria-label={t('list')} className="grid gap-3">
      <SchemaOrder items={items} mayWrite={mayWrite} />
      {mayWrite ? <p className="text-ink-second text-note max-sm:hidden">{t('orderHint')}</p> : null}
    </section>
  )
}
