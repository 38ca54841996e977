import { cached } from '@/lib/kernel/cache'
import { enabledAddresses } from './queries'

/** Origins of the enabled applications' addresses. */
const applicationOrigins = () =>
  cached('applications:origins', async () => {
    const rows = await enabledAddresses()
    return new Set(rows.flatMap(({ url }) => (url && URL.canParse(url) ? [new URL(url).origin] : [])))
  })

/** Whether an absolute http(s) address belongs to a registered application. */
export async function isApplicationAddress(address: string): Promise<boolean> {
  if (address.length > 2048 || !/^https?:\/\/[^\\\s]+$/i.test(address) || !URL.canParse(address)) return false
  const { origin, username, password } = new URL(address)
  return !username && !password && (await applicationOrigins()).has(origin)
}
