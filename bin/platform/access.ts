import { isIP } from 'node:net'
import { type Noun, UsageFault, verb } from './noun'

const open = verb(
  'open',
  'Lets people in again after a lock-out: switches whitelistMode off, and the entries of the blacklist that deny the address',
  (own) =>
    own
      .option('address', { type: 'string', describe: 'the address to let in' })
      .option('all', { type: 'boolean', describe: 'switches all entries of the blacklist off; they stay in the list' })
      .conflicts('address', 'all')
      .check(({ address, all }) => {
        if (address === undefined && !all) throw new UsageFault('Name an --address, or --all')
        if (address !== undefined && isIP(address) === 0) throw new UsageFault(`${address} is no address`)
        return true
      }),
  async ({ address = null }) => {
    const { runCommand } = await import('../operator')
    const { openAccess } = await import('@/lib/network/access-lists/open-access')
    await runCommand(async () => {
      const { whitelistMode, entries } = await openAccess(address, new Date())
      if (whitelistMode) console.log('whitelistMode: switched off')
      for (const { named } of entries) console.log(`blacklist: switched off ${named.join(', ')}`)
      if (!whitelistMode && entries.length === 0)
        console.log(`Nothing was closed${address ? ` to ${address}` : ''}: neither whitelistMode nor the blacklist.`)
    })
  },
)

export const access: Noun = { describe: 'Address lists', verbs: [open] }
