import { getLocale, getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import type { Role } from '@/lib/access/roles/contract'
import { listMethods } from '@/lib/access/roles/manage'
import type { Ctx } from '@/lib/base/context/ctx'
import { groupMethods } from '../../_ui/method-groups'
import { MethodsGroup, NamesGroup } from './role-card-parts'

/** The name of a role, what it gives, and what uses it. */
export async function RoleMain({ ctx, role, mayWrite }: { ctx: Ctx; role: Role; mayWrite: boolean }) {
  const t = await getTranslations('roles')
  const fixed = role.code === 'administrator'
  const methods = mayWrite && !fixed ? (await listMethods(ctx)).methods : []
  return (
    <CardColumns
      side={
        <CardGroup title={t('facts')}>
          <KeyValues>
            {role.code ? (
              <KeyValue label={t('code')}>
                <Mono>{role.code}</Mono>
              </KeyValue>
            ) : null}
            <KeyValue label={t('usedIn')}>
              {role.usedIn.length === 0 ? <span className="text-ink-second">{t('notUsed')}</span> : null}
              {role.usedIn.map(({ place, count }) => (
                <span key={place} className="w-full">
                  {t(`usage.${place}`, { count })}
                </span>
              ))}
            </KeyValue>
            <KeyValue label={t('changed')}>
              <DateTime value={role.updatedAt} />
            </KeyValue>
          </KeyValues>
        </CardGroup>
      }
    >
      <NamesGroup of={{ role }} mayEdit={mayWrite}>
        <KeyValues>
          <KeyValue label={t('name')}>{role.name}</KeyValue>
          <KeyValue label={t('nameEn')}>{role.nameEn}</KeyValue>
          <KeyValue label={t('type')}>
            {t(`types.${role.roleType}`)}
            <span className="text-ink-second text-note">{t(`typeHints.${role.roleType}`)}</span>
          </KeyValue>
          <KeyValue label={t('comment')}>{role.comment}</KeyValue>
          <KeyValue label={t('commentEn')}>{role.commentEn}</KeyValue>
        </KeyValues>
      </NamesGroup>
      <MethodsGroup of={{ role, methods }} note={fixed ? t('administratorText') : null} mayEdit={mayWrite && !fixed}>
        <Methods role={role} />
      </MethodsGroup>
    </CardColumns>
  )
}

async function Methods({ role }: { role: Role }) {
  const [t, tp, locale] = await Promise.all([getTranslations('roles'), getTranslations('roles.picker'), getLocale()])
  const groups = groupMethods(role.methods, locale)
  if (groups.length === 0) return <p className="text-ink-second">{t('notHolds')}</p>
  return (
    <KeyValues>
      {groups.map((group) => (
        <KeyValue
          key={group.key}
          label={group.application ? tp('application', { name: group.name ?? '' }) : (group.name ?? tp('special'))}
        >
          {group.methods.map(({ label }) => label).join(', ')}
        </KeyValue>
      ))}
    </KeyValues>
  )
}
