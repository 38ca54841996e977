import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { openAccess } from '@/lib/network/access-lists/open-access'
import { runCommand } from './operator'
import { StartFault } from './server/start-checks'

const usage = `npm run access:open -- --address <address>
npm run access:open -- --all

Lets people in again after a lock-out: switches whitelistMode off, and the entries of the blacklist that deny the
address, or all of them. Entries stay and can be switched on again.`

/** The address to let in; null for all. */
function wanted(): string | null {
  let values: { address?: string; all?: boolean }
  try {
    values = parseArgs({ options: { address: { type: 'string' }, all: { type: 'boolean' } } }).values
  } catch {
    // an unknown option: the usage lists the valid ones
    throw new StartFault(usage)
  }
  const { address, all } = values
  if (all ? address !== undefined : address === undefined) throw new StartFault(usage)
  if (address !== undefined && isIP(address) === 0) throw new StartFault(`${address} is no address\n\n${usage}`)
  return address ?? null
}

runCommand(wanted, async (address) => {
  const { whitelistMode, entries } = await openAccess(address, new Date())
  if (whitelistMode) console.log('whitelistMode: switched off')
  for (const { named } of entries) console.log(`blacklist: switched off ${named.join(', ')}`)
  if (!whitelistMode && entries.length === 0)
    console.log(`Nothing was closed${address ? ` to ${address}` : ''}: neither whitelistMode nor the blacklist.`)
})
