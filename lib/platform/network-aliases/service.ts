import { cached } from '@/lib/kernel/cache'
import { platformSettings } from '@/lib/platform/settings/service'
import { aliasSubnets } from './queries'

/** Subnets, in CIDR form, of the aliases that the setting reverseProxy names: their forwarding headers are believed. */
export async function trustedProxies(): Promise<string[]> {
  const { reverseProxy } = await platformSettings()
  if (reverseProxy.length === 0) return []
  const rows = await cached('network-aliases', async () => aliasSubnets())
  return [...new Set(rows.filter(({ aliasId }) => reverseProxy.includes(aliasId)).map(({ ip }) => ip))]
}
