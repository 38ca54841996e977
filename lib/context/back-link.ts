import { ownPath } from '@/lib/kernel/navigation/after-sign-in'
import { isApplicationAddress } from '@/lib/platform/applications/service'

/** Returns the back link for a `ref`: a path of the platform or the address of a registered application; else null. */
export async function backLink(ref: string): Promise<string | null> {
  const own = ownPath(ref)
  if (own) return own
  return (await isApplicationAddress(ref).catch(() => false)) ? new URL(ref).href : null
}
