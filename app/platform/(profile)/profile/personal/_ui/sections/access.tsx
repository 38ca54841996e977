import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { EmptyState } from '@/components/ui/empty-state'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { ProfileDetails } from '@/lib/my-account/personal/contract'

/** The person's access: groups, and by service the roles with their methods. Administrators give and take it. */
export async function Access({ details: { mainInfo, accessInfo } }: { details: ProfileDetails }) {
  const t = await getTranslations('profile.access')
  const { groups } = mainInfo
  if (groups.length === 0 && accessInfo.services.length === 0)
    return <EmptyState title={t('emptyTitle')} text={t('empty')} />
  return (
    <CardColumns>
      {groups.length > 0 ? (
        <CardGroup title={t('groups')} note={t('groupsNote')}>
          <KeyValues>
            {[...Map.groupBy(groups, ({ organization }) => organization)].map(([organization, heldGroups]) => (
              <KeyValue key={organization ?? ''} label={organization ?? t('everywhere')}>
                {heldGroups.map(({ name }) => name).join(', ')}
              </KeyValue>
            ))}
          </KeyValues>
        </CardGroup>
      ) : null}
      {accessInfo.services.map((service) => (
        <CardGroup key={service.id} title={service.name || t('platform')}>
          <KeyValues>
            <KeyValue label={t('roles')}>{service.roles.map(({ roleName }) => roleName).join(', ')}</KeyValue>
            <KeyValue label={t('methods')}>
              {service.methods.length > 8 ? (
                <details className="group min-w-0">
                  <summary className="inline-flex min-h-6 cursor-pointer items-center font-medium text-brand underline underline-offset-4">
                    {t('methodCount', { count: service.methods.length })}
                  </summary>
                  <ul className="mt-2 grid gap-1">
                    {service.methods.map(({ methodId, methodName }) => (
                      <li key={methodId}>{methodName}</li>
                    ))}
                  </ul>
                </details>
              ) : (
                <ul className="grid gap-1">
                  {service.methods.map(({ methodId, methodName }) => (
                    <li key={methodId}>{methodName}</li>
                  ))}
                </ul>
              )}
            </KeyValue>
          </KeyValues>
        </CardGroup>
      ))}
    </CardColumns>
  )
}
