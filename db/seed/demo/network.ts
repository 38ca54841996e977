import type { Transaction } from '@/db/client'
import { accessListEntries, networkAliases, networkAliasIps } from '@/db/schema/platform'
import { stableId } from '../stable-id'
import { daysAgo, demoNow } from './random'

const aliasId = (key: string) => stableId('demo network alias', key)
const entryId = (key: string) => stableId('demo access list entry', key)

/** Aliases and list entries of documentation networks. The entries are off: nobody is shut out of a demo. */
export async function seedNetwork(tx: Transaction) {
  await tx.insert(networkAliases).values([
    {
      id: aliasId('office'),
      name: 'Офис',
      comment: 'Москва и Санкт-Петербург',
      createdAt: daysAgo(300),
      updatedAt: daysAgo(40),
    },
    {
      id: aliasId('balancer'),
      name: 'Балансировщик',
      comment: 'Обратный прокси перед платформой',
      createdAt: daysAgo(300),
      updatedAt: daysAgo(300),
    },
  ])
  await tx.insert(networkAliasIps).values([
    { aliasId: aliasId('office'), ip: '192.0.2.0/24', comment: 'Москва', order: 0 },
    { aliasId: aliasId('office'), ip: '198.51.100.0/25', comment: 'Санкт-Петербург', order: 1 },
    { aliasId: aliasId('office'), ip: '2001:db8:10::/48', comment: 'IPv6', order: 2 },
    { aliasId: aliasId('balancer'), ip: '203.0.113.10/32', comment: 'Основной', order: 0 },
    { aliasId: aliasId('balancer'), ip: '203.0.113.11/32', comment: 'Резервный', order: 1 },
  ])
  await tx.insert(accessListEntries).values([
    {
      id: entryId('office'),
      list: 'whitelist',
      enabled: false,
      aliasId: aliasId('office'),
      comment: 'Только офис',
      createdAt: daysAgo(120),
    },
    {
      id: entryId('audit'),
      list: 'whitelist',
      enabled: false,
      ip: '203.0.113.64/26',
      dateFrom: daysAgo(30),
      dateTo: demoNow,
      comment: 'Внешний аудит, на время проверки',
      createdAt: daysAgo(31),
    },
    {
      id: entryId('scanner'),
      list: 'blacklist',
      enabled: false,
      ip: '203.0.113.200/32',
      comment: 'Перебор паролей',
      createdAt: daysAgo(12),
    },
    {
      id: entryId('proxies'),
      list: 'blacklist',
      enabled: false,
      ip: '2001:db8:bad::/48',
      comment: 'Открытые прокси',
      createdAt: daysAgo(5),
    },
  ])
}
