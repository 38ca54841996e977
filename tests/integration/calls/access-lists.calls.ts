import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { db } from '@/db/client'
import { accessListEntries, settings } from '@/db/schema'
import { forget } from '@/lib/kernel/cache'
import { enableBlacklistEntry, enableWhitelistEntry } from '@/lib/platform/access-lists/contract'
import { openAccess } from '@/lib/platform/access-lists/open'
import { accessRules } from '@/lib/platform/access-lists/service'
import { verdictOf } from '@/lib/platform/access-lists/verdict'
import type { Caller } from '../../factories/caller'
import { first } from '../../factories/platform'
import { proof, recording } from '../../factories/proofs'
import { setSetting } from '../../factories/settings'

type Values = Partial<typeof accessListEntries.$inferInsert>
type List = 'whitelist' | 'blacklist'
const entry = async (list: List, values: Values) => {
  const { id } = first(
    await db()
      .insert(accessListEntries)
      .values({ list, ...values })
      .returning(),
  )
  forget('network-aliases')
  return id
}
const inAnHour = () => new Date(Date.now() + 3_600_000)
/** No call shows an entry yet, so this reads what requests read of the lists. */
const verdict = (caller: Caller, list: List, ip: string) =>
  caller.verb(async () => {
    const rules = await accessRules()
    return { verdict: rules && verdictOf(rules.lists, list === 'whitelist', ip, new Date()) }
  })
const enabling = async (id: string) => ({ params: { id }, body: { enabled: true } })

/** A new enabled entry with its own network. */
const partsFor = (list: List) => ({
  makes: ['update access-lists'],
  prepare: async () => {
    const network = `2001:db8:${randomBytes(2).toString('hex')}`
    return { id: await entry(list, { ip: `${network}::/48`, enabled: false }), ip: `${network}::1` }
  },
  input: ({ id }: { id: string }) => ({ params: { id }, body: { enabled: true } }),
  look: (caller: Caller, { ip }: { ip: string }) => verdict(caller, list, ip),
  shows: () => ({ verdict: list === 'whitelist' ? 'allowed' : 'denied' }),
})

/** Disables the entry of the whitelist that allows the caller; until `until` another entry does. */
const offWhitelist = async ({ browser }: Caller, until?: Date) => {
  await db().delete(accessListEntries)
  await setSetting('whitelistMode', true)
  onTestFinished(() => setSetting('whitelistMode', false))
  if (until) await entry('whitelist', { ip: `${browser.ip}/32`, dateTo: until })
  const id = await entry('whitelist', { ip: `${browser.ip}/32` })
  return { params: { id }, body: { enabled: false } }
}

export default [
  proof(enableBlacklistEntry, {
    ...partsFor('blacklist'),
    errors: {
      ownAddressDenied: {
        field: 'enabled',
        input: async ({ browser }) => enabling(await entry('blacklist', { ip: `${browser.ip}/32`, enabled: false })),
      },
      ownAddressDeniedLater: {
        field: 'enabled',
        input: async ({ browser }) =>
          enabling(await entry('blacklist', { ip: `${browser.ip}/32`, enabled: false, dateFrom: inAnHour() })),
      },
    },
  }),
  proof(enableWhitelistEntry, {
    ...partsFor('whitelist'),
    errors: {
      ownAddressDenied: { field: 'enabled', input: (caller) => offWhitelist(caller) },
      ownAddressDeniedLater: { field: 'enabled', input: (caller) => offWhitelist(caller, inAnHour()) },
    },
  }),
  recording('openAccess', {
    makes: ['update access-lists', 'update settings'],
    prepare: async () => {
      await db()
        .insert(settings)
        .values({ id: 'whitelistMode', value: true })
        .onConflictDoUpdate({ target: settings.id, set: { value: true } })
      await db().insert(accessListEntries).values({ list: 'blacklist', ip: '192.0.2.0/24' })
      return () => openAccess(null, new Date())
    },
  }),
]
