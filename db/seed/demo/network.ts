import type { Transaction } from '@/db/client'
import { accessListEntries, networkAliases, networkAliasIps } from '@/db/schema/platform'
import { stableId } from '@/lib/base/runtime/stable-id'
import { daysAgo, demoNow } from './random'

type DemoAlias = { name: string; comment: string; ips: [ip: string, comment: string][] }

const branches = ['Казань', 'Самара', 'Пермь', 'Омск', 'Тула', 'Череповец', 'Калуга', 'Томск']
const partners = ['Монтаж-7', 'Северный ветер', 'Точка опоры', 'Пилот', 'Гранит', 'Альтаир', 'Вектор', 'Полюс']

/** Enough of them for pages, sorting and filters to be worth trying. */
const more: DemoAlias[] = [
  ...branches.map(
    (city, n): DemoAlias => ({
      name: `Офис, ${city}`,
      comment: n % 3 === 0 ? 'Филиал с собственным каналом связи' : '',
      ips: [
        [`10.${20 + n}.0.0/16`, 'Внутренняя сеть'],
        [`198.51.100.${128 + n * 4}/30`, 'Внешний канал'],
      ],
    }),
  ),
  ...partners.map(
    (company, n): DemoAlias => ({
      name: `Подрядчик «${company}»`,
      comment: n % 2 === 0 ? 'По договору, на время работ' : '',
      ips: [[`203.0.113.${96 + n * 4}/30`, '']],
    }),
  ),
  { name: 'VPN удалённых сотрудников', comment: '', ips: [['10.200.0.0/14', '']] },
  { name: 'Гостевая сеть', comment: 'Беспроводная, без доступа к служебным системам', ips: [['192.168.40.0/22', '']] },
  {
    name: 'Сканеры уязвимостей',
    comment: 'Плановые проверки',
    ips: [
      ['2001:db8:5ca::/48', ''],
      ['203.0.113.240/29', 'Резерв'],
    ],
  },
  { name: 'Мониторинг', comment: 'Опрос доступности', ips: [['10.0.9.16/28', '']] },
  { name: 'Резервный центр', comment: 'Включается при аварии', ips: [['2001:db8:20::/48', '']] },
]

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
  const rows = more.map((alias, n) => ({ ...alias, id: aliasId(alias.name), at: daysAgo(260 - n * 9) }))
  await tx
    .insert(networkAliases)
    .values(rows.map(({ id, name, comment, at }) => ({ id, name, comment, createdAt: at, updatedAt: at })))
  await tx
    .insert(networkAliasIps)
    .values(rows.flatMap(({ id, ips }) => ips.map(([ip, comment], order) => ({ aliasId: id, ip, comment, order }))))
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
      id: entryId('scanners'),
      list: 'blacklist',
      enabled: false,
      aliasId: aliasId('Сканеры уязвимостей'),
      comment: 'Вне плановых окон',
      createdAt: daysAgo(60),
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
      ip: '203.0.113.200',
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
