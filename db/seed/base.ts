import { eq, inArray } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { integrationSyncs } from '@/db/schema/integration'
import {
  applications,
  authenticationSchemas,
  type DomainLocaleSettings,
  deviceTypes,
  domainLocales,
  domains,
  locales,
} from '@/db/schema/platform'
import { notifyMethods } from '@/db/schema/subscriptions'
import { requireUsableSchema } from '@/lib/access/authentication-schemas/factors'
import { stableId } from '@/lib/base/runtime/stable-id'
import { integrationKeys } from '@/lib/exchanges/exchange-journal/keys'
import { channelIds } from '@/lib/messaging/subscription-kinds'
import { seedAccess } from './base-access'
import { seedFields } from './base-fields'

const shippedLocales = [
  { code: 'ru', name: 'Русский' },
  { code: 'en', name: 'English' },
]

const shippedDeviceTypes = [
  { code: 'desktop', name: 'Компьютер', nameEn: 'Desktop' },
  { code: 'mobile', name: 'Телефон', nameEn: 'Phone' },
  { code: 'tablet', name: 'Планшет', nameEn: 'Tablet' },
]

const texts = (name: string): DomainLocaleSettings => ({
  projectTitle: name,
  projectName: name,
  copyright: `© ${name}`,
  siteName: '',
  siteLink: '',
  banners: [],
  technical: [],
})
const baseTexts = { ru: texts('Полярис'), en: texts('Polaris') }

async function seedBaseDomain(tx: Transaction) {
  const [existing] = await tx.select({ id: domains.id }).from(domains).where(eq(domains.base, true))
  if (existing) return
  const id = stableId('domain', 'base')
  await tx.insert(domains).values({ id, base: true, comment: 'Базовый домен' })
  const localeRows = await tx
    .select({ id: locales.id, code: locales.code })
    .from(locales)
    .where(inArray(locales.code, ['ru', 'en']))
  await tx.insert(domainLocales).values(
    localeRows.map((locale) => ({
      domainId: id,
      localeId: locale.id,
      order: locale.code === 'ru' ? 0 : 1,
      settings: locale.code === 'ru' ? baseTexts.ru : baseTexts.en,
    })),
  )
}

const baseSchema = {
  id: stableId('authentication schema', 'base'),
  code: 'base',
  base: true,
  name: 'Базовая схема',
  nameEn: 'Base schema',
  comment: 'Действует, если пользователю не назначена другая',
  firstFactor: ['credentials', 'email_code'],
  secondFactor: [],
  // other schemas have a higher priority, wherever an administrator moves them
  priority: 1000,
}

async function seedBaseSchema(tx: Transaction) {
  const [existing] = await tx
    .select({ id: authenticationSchemas.id })
    .from(authenticationSchemas)
    .where(eq(authenticationSchemas.base, true))
  if (existing) return
  await tx.insert(authenticationSchemas).values(requireUsableSchema(baseSchema))
}

/**
 * All shipped data. It may run at each start: it adds what is missing, and doesn't overwrite changes of administrators.
 */
export async function seedBase(tx: Transaction) {
  await seedAccess(tx)
  await tx
    .insert(locales)
    .values(shippedLocales.map((locale) => ({ id: stableId('locale', locale.code), immutable: true, ...locale })))
    .onConflictDoNothing({ target: locales.code })
  await tx
    .insert(deviceTypes)
    .values(shippedDeviceTypes.map((type) => ({ id: stableId('device type', type.code), immutable: true, ...type })))
    .onConflictDoNothing({ target: deviceTypes.code })
  await tx
    .insert(notifyMethods)
    .values(channelIds.map((id) => ({ id })))
    .onConflictDoNothing()
  await tx
    .insert(integrationSyncs)
    .values(integrationKeys.map((key) => ({ id: stableId('integration', key), key })))
    .onConflictDoNothing({ target: integrationSyncs.key })
  await seedBaseSchema(tx)
  await seedBaseDomain(tx)
  await seedFields(tx)
  await tx
    .insert(applications)
    .values({
      id: stableId('application', 'platform'),
      type: 'internal',
      code: 'platform',
      name: 'Платформа',
      nameEn: 'Platform',
      description: 'Вход, профиль и управление доступом',
      descriptionEn: 'Sign-in, profile and access control',
      immutable: true,
      actionsAccess: 2,
    })
    .onConflictDoNothing({ target: applications.code })
}
