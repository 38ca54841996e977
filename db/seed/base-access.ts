import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { methods, roleMethods, roles } from '@/db/schema/people'
import { type Area, areas, type SystemicMethod, systemicMethods } from '@/lib/base/access/access-methods'
import { stableId } from '@/lib/base/runtime/stable-id'

type Name = { name: string; nameEn: string }
const both = (name: string, nameEn: string): Name => ({ name, nameEn })

const areaNames: Record<Area, Name> = {
  applications: both('Приложения', 'Applications'),
  domains: both('Домены', 'Domains'),
  'device-types': both('Типы устройств', 'Device types'),
  settings: both('Настройки', 'Settings'),
  'authentication-schemas': both('Схемы входа', 'Sign-in schemas'),
  'dynamic-fields': both('Динамические поля', 'Dynamic fields'),
  'access-lists': both('Белый и чёрный списки', 'White and black lists'),
  'network-aliases': both('Сетевые алиасы', 'Network aliases'),
  history: both('История изменений', 'Change history'),
  monitoring: both('Мониторинг', 'Monitoring'),
  diagnostics: both('Диагностика', 'Diagnostics'),
  license: both('Лицензия', 'License'),
  providers: both('Провайдеры', 'Providers'),
  libraries: both('Справочники', 'Directories'),
  integration: both('Интеграция', 'Integration'),
  users: both('Пользователи', 'Users'),
  roles: both('Роли', 'Roles'),
  organizations: both('Организации', 'Organizations'),
  contractors: both('Контрагенты', 'Contractors'),
  sessions: both('Сеансы', 'Sessions'),
  news: both('Новости', 'News'),
}

const namedMethods: Partial<Record<SystemicMethod, Name>> = {
  monitoringNotifyAccess: both('Уведомления о состоянии мониторинга', 'Monitoring status notices'),
  diagnosticsNotifyAccess: both('Уведомления о состоянии диагностики', 'Diagnostics status notices'),
  diagnosticsApplicationsNotifyAccess: both('Уведомления об обновлениях приложений', 'Application update notices'),
  masterAccountAccess: both('Мастер-аккаунт контрагентов', 'Contractor master account'),
  usersAccess: both('Доступ к сведениям о пользователях', 'Access to user details'),
}

function nameOf(code: SystemicMethod): Name {
  const named = namedMethods[code]
  if (named) return named
  const area = areas.find((name) => code === `${name}.read` || code === `${name}.write`)
  if (!area) throw new Error(`the method ${code} has no name`)
  const { name, nameEn } = areaNames[area]
  return code.endsWith('.read')
    ? both(`${name}: просмотр`, `${nameEn}: view`)
    : both(`${name}: изменение`, `${nameEn}: edit`)
}

type ShippedRole = Name & {
  code: string
  comment: string
  commentEn: string
  carries: (code: SystemicMethod) => boolean
}

const supportMethods: SystemicMethod[] = [
  'users.read',
  'users.write',
  'sessions.read',
  'sessions.write',
  'history.read',
]

const shippedRoles: ShippedRole[] = [
  {
    code: 'administrator',
    ...both('Администратор', 'Administrator'),
    comment: 'Полный доступ к управлению платформой',
    commentEn: 'Full access to the administration of the platform',
    carries: () => true,
  },
  {
    code: 'auditor',
    ...both('Аудитор', 'Auditor'),
    comment: 'Просмотр всех разделов без права изменений',
    commentEn: 'Sees every section and changes nothing',
    carries: (code) => code.endsWith('.read') || code.endsWith('NotifyAccess'),
  },
  {
    code: 'support',
    ...both('Поддержка', 'Support'),
    comment: 'Помощь пользователям: учётные записи, сеансы, история',
    commentEn: 'Helps users: accounts, sessions, history',
    carries: (code) => supportMethods.includes(code),
  },
  {
    code: 'user',
    ...both('Пользователь', 'User'),
    comment: 'Личный профиль без административных прав',
    commentEn: 'A profile of one’s own, without rights in the administration',
    carries: () => false,
  },
]

/**
 * Stores systemic methods and the shipped roles. A method that an administrator removed from a role isn't added again.
 * Only a new role or a new method adds rights, and the role `administrator` always has all of them.
 */
export async function seedAccess(tx: Transaction) {
  const methodRows = await tx.select({ code: methods.code }).from(methods).where(eq(methods.kind, 'systemic'))
  const knownCodes = new Set(methodRows.map(({ code }) => code))
  await tx
    .insert(methods)
    .values(
      systemicMethods.map((code) => ({
        id: stableId('method', code),
        code,
        kind: 'systemic' as const,
        ...nameOf(code),
      })),
    )
    .onConflictDoUpdate({
      target: [methods.applicationId, methods.code],
      set: { name: sql`excluded.name`, nameEn: sql`excluded.name_en` },
    })
  // shipped roles of earlier versions had none; one that somebody has written or emptied stays, and
  // what somebody has written in Russian is said by no shipped one
  for (const { code, comment, commentEn } of shippedRoles)
    await tx
      .update(roles)
      .set({ commentEn })
      .where(and(eq(roles.code, code), eq(roles.comment, comment), isNull(roles.commentEn)))
  const newRoles = await tx
    .insert(roles)
    .values(
      shippedRoles.map(({ carries: _, ...role }) => ({
        id: stableId('role', role.code),
        roleType: 'systemic' as const,
        immutable: true,
        ...role,
      })),
    )
    .onConflictDoNothing({ target: roles.code })
    .returning({ code: roles.code })

  const roleIds = await tx
    .select({ id: roles.id, code: roles.code })
    .from(roles)
    .where(
      inArray(
        roles.code,
        shippedRoles.map(({ code }) => code),
      ),
    )
  const methodIds = await tx
    .select({ id: methods.id, code: methods.code })
    .from(methods)
    .where(eq(methods.kind, 'systemic'))
  const pairs = shippedRoles.flatMap(({ code, carries }) => {
    const role = roleIds.find((row) => row.code === code)
    const whole = code === 'administrator' || newRoles.some((row) => row.code === code)
    return methodIds
      .filter((method) => carries(method.code as SystemicMethod) && (whole || !knownCodes.has(method.code)))
      .flatMap((method) => (role ? [{ roleId: role.id, methodId: method.id }] : []))
  })
  if (pairs.length > 0) await tx.insert(roleMethods).values(pairs).onConflictDoNothing()
}
