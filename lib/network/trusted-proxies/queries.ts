import { inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import { networkAliasIps } from '@/db/schema/platform'
import { normalSubnet } from '@/lib/base/runtime/subnet'

/** Returns every address and subnet of these aliases; by default of all aliases. */
export async function selectNamedSubnets(aliasIds?: string[]): Promise<string[]> {
  const rows = await db()
    .selectDistinct({ ip: networkAliasIps.ip })
    .from(networkAliasIps)
    .where(aliasIds && inArray(networkAliasIps.aliasId, aliasIds))
  // PostgreSQL writes the prefix length of single addresses too
  return rows.map(({ ip }) => normalSubnet(ip) ?? ip)
}
