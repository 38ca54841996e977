import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { normalSubnet } from '@/lib/base/runtime/subnet'
import { compileLists, entriesOn, type ListedEntry, verdictOf } from '@/lib/network/access-lists/verdict'
import { caseNumbers } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const random = caseNumbers(400)
const pick = <T>(some: readonly T[]): T => some[random(some.length)] as T
/** Few different bits, so that many addresses lie in many subnets. */
const part = () => pick(['0', '1', 'ff', '8000', 'fffe', 'db8'])
const four = () => Array.from({ length: 4 }, () => pick([0, 1, 127, 128, 254, 255])).join('.')
const six = () => `${pick(['2001', 'fe80', '0', 'ffff'])}:${Array.from({ length: 7 }, part).join(':')}`
const mapped = () => `::ffff:${four()}`
const address = () => pick([four, six, mapped])()
const subnet = () => {
  const ip = address()
  const whole = ip.includes('.') && !ip.includes(':') ? 32 : 128
  return `${ip}/${pick([0, 1, 8, 24, 31, 32, 64, 96, 104, 127, 128].filter((bits) => bits <= whole))}`
}

/** The IPv4 address that an IPv6 address maps: requests come in either form, and are one address. */
const plain = (ip: string) => normalSubnet(ip) ?? ip
const at = new Date('2026-11-23T12:00:00.000Z')
const edge = () => pick([null, ...[-86_400_000, -1, 0, 1, 86_400_000].map((shift) => new Date(at.getTime() + shift))])

test('an address lies in the subnets in which PostgreSQL says it does, within the dates that it says', async () => {
  const entries: (ListedEntry & { n: number })[] = Array.from({ length: 400 }, (_, n) => ({
    n,
    list: pick(['whitelist', 'blacklist'] as const),
    // as calls store it
    subnet: normalSubnet(subnet()) ?? '',
    dateFrom: edge(),
    dateTo: edge(),
  }))
  const lists = compileLists(entries)
  const ips = [...new Set(Array.from({ length: 300 }, address))]
  const { rows } = await db().execute<{ ip: string; n: number; active: boolean; list: string }>(sql`
    select asked.ip, entry.n, entry.list,
      ${at.toISOString()}::timestamptz >= coalesce(entry.from, '-infinity') and
      ${at.toISOString()}::timestamptz <= coalesce(entry.to, 'infinity') as active
    from jsonb_to_recordset(${JSON.stringify(ips.map((ip) => ({ ip, plain: plain(ip) })))}::jsonb)
        as asked(ip text, plain inet)
      join jsonb_to_recordset(${JSON.stringify(
        entries.map(({ n, list, subnet, dateFrom, dateTo }) => ({ n, list, subnet, from: dateFrom, to: dateTo })),
      )}::jsonb) as entry(n int, list text, subnet inet, "from" timestamptz, "to" timestamptz)
      on asked.plain <<= entry.subnet`)
  expect(rows.length).toBeGreaterThan(1_000)
  for (const ip of ips) {
    const entriesOfIp = rows.filter((row) => row.ip === ip)
    const numbers = (some: readonly { n: number }[]) => some.map(({ n }) => n).sort((one, other) => one - other)
    expect(numbers(entriesOn(lists, ip)), ip).toEqual(numbers(entriesOfIp))
    const active = new Set(entriesOfIp.filter((row) => row.active).map(({ list }) => list))
    for (const whitelistMode of [false, true])
      expect(verdictOf(lists, whitelistMode, ip, at), `${ip}, whitelistMode ${whitelistMode}`).toBe(
        active.has('blacklist') || (whitelistMode && !active.has('whitelist')) ? 'denied' : 'allowed',
      )
  }
})

test('what is no address lies in every subnet of the blacklist and in none of the whitelist', () => {
  const entries: ListedEntry[] = (['whitelist', 'blacklist'] as const).flatMap((list) =>
    ['0.0.0.0/0', '::/0'].map((subnet) => ({ list, subnet, dateFrom: null, dateTo: null })),
  )
  const lists = compileLists(entries)
  for (const text of [
    '',
    'unknown',
    '203.0.113.7, 10.0.0.1',
    '010.0.0.1',
    '1',
    '0x7f.1',
    '203.0.113.7:443',
    '[::1]',
    'ﬀ::1',
  ])
    expect(
      entriesOn(lists, text).map(({ list }) => list),
      text,
    ).toEqual(['blacklist', 'blacklist'])
})
