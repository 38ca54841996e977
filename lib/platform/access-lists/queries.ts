import { eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { accessListEntries, networkAliasIps } from '@/db/schema/platform'

/** A row for each subnet of each enabled entry, an alias's subnets each for themselves. */
export const enabledSubnets = () =>
  db()
    .select({
      list: accessListEntries.list,
      subnet: sql<string>`coalesce(${accessListEntries.ip}, ${networkAliasIps.ip})`,
      dateFrom: accessListEntries.dateFrom,
      dateTo: accessListEntries.dateTo,
    })
    .from(accessListEntries)
    .leftJoin(networkAliasIps, eq(networkAliasIps.aliasId, accessListEntries.aliasId))
    .where(sql`${accessListEntries.enabled} and coalesce(${accessListEntries.ip}, ${networkAliasIps.ip}) is not null`)
