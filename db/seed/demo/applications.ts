import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { applicationServiceMethods } from '@/db/schema/oidc'
import { authenticationSchemaRoles, methods, roleMethods, roles } from '@/db/schema/people'
import { applicationDomains, applications, authenticationSchemas } from '@/db/schema/platform'
import { requireUsableSchema } from '@/lib/access/authentication-schemas/factors'
import type { SystemicMethod } from '@/lib/base/access/access-methods'
import { stableId } from '@/lib/base/runtime/stable-id'
import { baseDomainId } from './domains'
import { daysAgo } from './random'

const applicationId = (code: string) => stableId('demo application', code)

const demoApplications: (typeof applications.$inferInsert)[] = [
  {
    id: applicationId('procurement'),
    type: 'internal',
    code: 'procurement',
    name: 'Закупки',
    nameEn: 'Procurement',
    description: 'Заявки, конкурсы и заказы поставщикам',
    descriptionEn: 'Requests, tenders and orders to suppliers',
    url: 'https://procurement.polaris.example/',
    helpUrl: 'https://docs.polaris.example/procurement',
    version: '3.4.1',
    menuVisible: true,
    actionsAccess: 1,
    order: 0,
    createdAt: daysAgo(420),
  },
  {
    id: applicationId('warehouse'),
    type: 'internal',
    code: 'warehouse',
    name: 'Склад',
    nameEn: 'Warehouse',
    description: 'Остатки, приёмка и отгрузка',
    descriptionEn: 'Stock, receiving and shipping',
    url: 'https://warehouse.polaris.example/',
    helpUrl: 'https://docs.polaris.example/warehouse',
    version: '1.12.0',
    menuVisible: true,
    actionsAccess: 1,
    order: 1,
    createdAt: daysAgo(300),
  },
  {
    id: applicationId('documentation'),
    type: 'link',
    code: 'documentation',
    name: 'Документация',
    nameEn: 'Documentation',
    description: 'Описание программного интерфейса платформы',
    descriptionEn: 'Reference of the platform’s API',
    url: '/api/v1/docs',
    menuVisible: true,
    order: 2,
    createdAt: daysAgo(300),
  },
  {
    id: applicationId('partner'),
    type: 'external',
    code: 'partner',
    name: 'Маршруты и карты',
    nameEn: 'Routes and maps',
    description: 'Сторонний сервис перевозчика: маршруты и расстояния',
    descriptionEn: 'A carrier’s third-party service: routes and distances',
    url: 'https://maps.partner.example/',
    order: 3,
    createdAt: daysAgo(120),
  },
]

const demoMethods = [
  { application: 'procurement', code: 'procurement.orders.read', name: 'Заказы: просмотр', nameEn: 'Orders: view' },
  { application: 'procurement', code: 'procurement.orders.write', name: 'Заказы: изменение', nameEn: 'Orders: edit' },
  {
    application: 'procurement',
    code: 'procurement.tenders.join',
    name: 'Конкурсы: участие',
    nameEn: 'Tenders: take part',
  },
  { application: 'warehouse', code: 'warehouse.stock.read', name: 'Остатки: просмотр', nameEn: 'Stock: view' },
  {
    application: 'warehouse',
    code: 'warehouse.shipments.write',
    name: 'Отгрузка: оформление',
    nameEn: 'Shipments: arrange',
  },
  {
    application: 'documentation',
    code: 'documentation.read',
    name: 'Документация: просмотр',
    nameEn: 'Documentation: view',
  },
] as const
type MethodCode = (typeof demoMethods)[number]['code'] | 'masterAccountAccess'

const roleId = (key: string) => stableId('demo role', key)

/** Ids of the demo's own roles. */
export const roleIds = {
  buyer: roleId('buyer'),
  observer: roleId('observer'),
  storekeeper: roleId('storekeeper'),
  controller: roleId('controller'),
  supplier: roleId('supplier'),
  carrier: roleId('carrier'),
  contractorManager: roleId('contractorManager'),
}

type DemoRole = Omit<typeof roles.$inferInsert, 'code'> & { carries: MethodCode[] }

const demoRoles: DemoRole[] = [
  {
    id: roleIds.buyer,
    roleType: 'organizational',
    name: 'Менеджер закупок',
    nameEn: 'Purchasing manager',
    comment: 'Ведёт заказы и конкурсы',
    carries: ['procurement.orders.read', 'procurement.orders.write', 'documentation.read'],
  },
  {
    id: roleIds.observer,
    roleType: 'organizational',
    name: 'Наблюдатель закупок',
    nameEn: 'Procurement observer',
    comment: 'Видит заказы, ничего не меняет',
    carries: ['procurement.orders.read'],
  },
  {
    id: roleIds.storekeeper,
    roleType: 'organizational',
    name: 'Кладовщик',
    nameEn: 'Storekeeper',
    comment: 'Принимает и отгружает товар',
    carries: ['warehouse.stock.read', 'warehouse.shipments.write', 'documentation.read'],
  },
  {
    id: roleIds.controller,
    roleType: 'systemic',
    name: 'Финансовый контролёр',
    nameEn: 'Financial controller',
    comment: 'Входит с подтверждением кодом',
    carries: ['procurement.orders.read', 'warehouse.stock.read'],
  },
  {
    id: roleIds.supplier,
    roleType: 'contractor',
    name: 'Поставщик',
    nameEn: 'Supplier',
    comment: 'Участвует в конкурсах и видит свои заказы',
    carries: ['procurement.orders.read', 'procurement.tenders.join'],
  },
  {
    id: roleIds.carrier,
    roleType: 'contractor',
    name: 'Перевозчик',
    nameEn: 'Carrier',
    comment: 'Оформляет отгрузку со склада',
    carries: ['warehouse.shipments.write'],
  },
  {
    id: roleIds.contractorManager,
    roleType: 'contractor',
    name: 'Менеджер контрагента',
    nameEn: 'Contractor manager',
    comment: 'Приглашает сотрудников и решает по их запросам доступа',
    carries: ['masterAccountAccess'],
  },
]

/** What the warehouse's own program may do at the platform: keep the addresses of its gates, look up the rest. */
const warehouseService: SystemicMethod[] = [
  'network-aliases.write',
  'device-types.read',
  'users.read',
  'contractors.read',
]

/** Authentication schemas that are assigned to roles; everybody else has the base one. */
const demoSchemas = [
  {
    id: stableId('demo authentication schema', 'two-factors'),
    code: 'two-factors',
    name: 'Пароль и код',
    nameEn: 'Password and code',
    comment: 'Для тех, кто работает с деньгами',
    firstFactor: ['credentials', 'passkey'],
    secondFactor: ['email_code', 'sms_code', 'totp'],
    priority: 0,
    roleId: roleIds.controller,
  },
  {
    id: stableId('demo authentication schema', 'code-first'),
    code: 'code-first',
    name: 'Сначала код',
    nameEn: 'Code first',
    comment: 'Водители входят с телефона',
    firstFactor: ['sms_code', 'email_code', 'credentials'],
    secondFactor: [],
    priority: 1,
    roleId: roleIds.carrier,
  },
]

/** The applications with their methods, the roles and the service account that hold some, ways to sign in by role. */
export async function seedApplications(tx: Transaction) {
  await tx.insert(applications).values(demoApplications)
  // the warehouse is for employees: partners don't see it on their domain
  await tx
    .insert(applicationDomains)
    .values({ applicationId: applicationId('warehouse'), domainId: await baseDomainId(tx) })
  await tx.insert(methods).values(
    demoMethods.map(({ application, ...method }) => ({
      id: stableId('demo method', method.code),
      kind: 'application' as const,
      applicationId: applicationId(application),
      ...method,
    })),
  )
  await tx.insert(roles).values(demoRoles.map(({ carries: _, ...role }) => ({ ...role, createdAt: daysAgo(400) })))
  const codes = [...new Set(demoRoles.flatMap(({ carries }) => carries))]
  const existing = await tx
    .select({ id: methods.id, code: methods.code })
    .from(methods)
    .where(inArray(methods.code, codes))
  await tx
    .insert(roleMethods)
    .values(
      demoRoles.flatMap(({ id = '', carries }) =>
        existing
          .filter(({ code }) => carries.includes(code as MethodCode))
          .map((method) => ({ roleId: id, methodId: method.id })),
      ),
    )
  const systemic = await tx
    .select({ id: methods.id })
    .from(methods)
    .where(and(eq(methods.kind, 'systemic'), inArray(methods.code, warehouseService)))
  await tx
    .insert(applicationServiceMethods)
    .values(systemic.map(({ id }) => ({ applicationId: applicationId('warehouse'), methodId: id })))
  await tx
    .insert(authenticationSchemas)
    .values(
      demoSchemas.map(({ roleId: _, ...schema }) => ({ ...requireUsableSchema(schema), createdAt: daysAgo(200) })),
    )
  await tx
    .insert(authenticationSchemaRoles)
    .values(demoSchemas.map((schema) => ({ schemaId: schema.id, roleId: schema.roleId })))
}
