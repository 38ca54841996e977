import { isApplicationAddress } from '@/lib/applications/applications/service'
import { ownPath } from '@/lib/base/navigation/after-sign-in'

/** Returns the back link for a `ref`: a path of the platform or the address of a registered application; else null. */
export async function backLink(ref: string): Promise<string | null> {
  const internalPath = ownPath(ref)
  if (internalPath) return internalPath
  return (await isApplicationAddress(ref).catch(() => false)) ? new URL(ref).href : null
}
