import { cached } from '@/lib/kernel/cache'
import { platformSettings } from '@/lib/platform/settings/service'
import { enabledSubnets } from './queries'
import { type ListedRange, parseRange, verdictOf } from './verdict'

async function loadRanges(): Promise<ListedRange[]> {
  const rows = await enabledSubnets()
  return rows.map(({ subnet, ...row }) => ({ ...row, range: parseRange(subnet) }))
}

/** Whether the black and white lists let this address in at this moment. */
export async function addressVerdict(ip: string, now: Date): Promise<'allowed' | 'denied'> {
  // aliases name subnets too: what drops them from the cache drops this
  const [{ whitelistMode }, ranges] = await Promise.all([
    platformSettings(),
    cached('network-aliases:access-lists', loadRanges),
  ])
  return verdictOf(ranges, whitelistMode, ip, now)
}
