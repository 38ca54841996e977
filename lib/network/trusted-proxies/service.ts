import { cached } from '@/lib/base/cache/cache'
import { env } from '@/lib/base/runtime/env'
import { isPrivateSubnet, isWithin } from '@/lib/base/runtime/subnet'
import { platformSettings } from '@/lib/site/settings/service'
import { selectNamedSubnets } from './queries'

/**
 * Returns the addresses and subnets whose forwarding headers are trusted: those of the environment's REVERSE_PROXY and
 * of the aliases in the setting reverseProxy.
 */
export async function trustedProxies(): Promise<string[]> {
  const { reverseProxy } = await platformSettings()
  const { REVERSE_PROXY: environmentProxies } = env()
  if (reverseProxy.length === 0) return environmentProxies
  const aliasProxies = await cached(`network-aliases:${reverseProxy.join()}`, () => selectNamedSubnets(reverseProxy))
  return [...new Set([...environmentProxies, ...aliasProxies])]
}

/**
 * Returns whether a private subnet of an alias contains this address. Subnets with public or link-local addresses don't
 * count.
 */
export async function isNamedPrivate(ip: string): Promise<boolean> {
  const subnets = await cached('network-aliases:private', async () =>
    (await selectNamedSubnets()).filter(isPrivateSubnet),
  )
  return subnets.some((subnet) => isWithin(ip, subnet))
}
