import { asc } from 'drizzle-orm'
import { db } from '@/db/client'
import { networkAliasIps } from '@/db/schema/platform'

/** Every subnet of every alias. */
export const aliasSubnets = () =>
  db()
    .select({ aliasId: networkAliasIps.aliasId, ip: networkAliasIps.ip })
    .from(networkAliasIps)
    .orderBy(asc(networkAliasIps.aliasId), asc(networkAliasIps.order), asc(networkAliasIps.ip))
