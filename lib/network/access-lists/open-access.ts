import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { settingEntity } from '@/lib/site/settings/entity'
import { settingsIn } from '@/lib/site/settings/service'
import { accessListEntity } from './entity'
import { disableEntries, lockRules, selectEnabledEntries, switchOffWhitelistMode } from './queries'
import { compileLists, entriesOn } from './verdict'

/** What was switched off: whitelistMode, if it was on, and each entry, with its alias or subnets. */
export type SwitchedOff = { whitelistMode: boolean; entries: { id: string; named: string[] }[] }

/**
 * Opens the platform from the shell after a lock-out: switches off whitelistMode and the enabled entries of the
 * blacklist that deny `address`, now or from a later date on; all entries if `address` is null. Returns what it
 * switched off. In the history the change has the request id `access:open`.
 */
export const openAccess = (address: string | null, now: Date): Promise<SwitchedOff> =>
  changing(['settings', 'network-aliases'], async (tx) => {
    await lockRules(tx)
    const { whitelistMode } = await settingsIn(tx)
    const rows = (await selectEnabledEntries(tx)).filter(({ list }) => list === 'blacklist')
    const denying = address === null ? rows : entriesOn(compileLists(rows), address)
    const ids = new Set(rows.filter((row) => denying.includes(row)).map(({ id }) => id))
    const ctx = { ip: '', user: null, requestId: 'access:open', now: () => now }
    if (whitelistMode) {
      await switchOffWhitelistMode(tx)
      await audit(tx, ctx, settingEntity, 'whitelistMode', { whitelistMode: true }, { whitelistMode: false })
    }
    if (ids.size > 0) await disableEntries(tx, [...ids])
    for (const id of ids) await audit(tx, ctx, accessListEntity, id, { enabled: true }, { enabled: false })
    const entries = [...ids].map((id) => ({
      id,
      named: [...new Set(rows.filter((row) => row.id === id).map(({ alias, subnet }) => alias ?? subnet))],
    }))
    return { whitelistMode, entries }
  })
