import { getTranslations } from 'next-intl/server'
import { RowLink } from '@/components/list/columns'
import { Cell, Header, Row, Table, TitleCell } from '@/components/list/table'
import { EmptyState } from '@/components/ui/empty-state'
import { Pill } from '@/components/ui/pill'
import { shownCount } from '@/components/ui/shown-count'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { cardPath } from '@/lib/base/navigation/screens'
import { organizationRoles } from '@/lib/companies/organizations/card'

/** The roles that somebody holds in the organization, with how many people do. */
export async function RolesHeld({ ctx, id, enabled }: { ctx: Ctx; id: string; enabled: boolean }) {
  const [t, roles] = await Promise.all([getTranslations('organizations'), organizationRoles(ctx, id)])
  if (roles.length === 0) return <EmptyState title={t('noRolesTitle')} text={t('noRolesText')} />
  const cardOf = (role: string) => (holdsMethod(ctx, 'roles.read') ? cardPath('PlatformRole', role) : undefined)
  return (
    <Table
      caption={t('rolesCaption')}
      head={
        <>
          <Header>{t('role')}</Header>
          <Header priority={2}>{t('roleType')}</Header>
          <Header align="right">{t('holdersColumn')}</Header>
          <Header>{t('effect')}</Header>
        </>
      }
    >
      {roles.map((role) => {
        const name = localName(role, ctx.locale)
        const type = t(role.roleType === 'contractor' ? 'ofContractors' : 'ofEmployees')
        return (
          <Row key={role.id}>
            <TitleCell facts={[{ label: t('roleType'), value: type, priority: 2 }]}>
              <RowLink href={cardOf(role.id)}>{name}</RowLink>
            </TitleCell>
            <Cell label={t('roleType')} priority={2}>
              {type}
            </Cell>
            <Cell label={t('holdersColumn')} align="right">
              {t('amount', shownCount(role.people))}
            </Cell>
            <Cell label={t('effect')}>
              {role.enabled && enabled ? (
                <Pill tone="ok">{t('acts')}</Pill>
              ) : (
                <Pill>{t(enabled ? 'roleOff' : 'organizationOff')}</Pill>
              )}
            </Cell>
          </Row>
        )
      })}
    </Table>
  )
}
