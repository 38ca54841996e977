import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { isAdministrator, platformHolder } from '@/lib/base/effective-rights/service'
import { AppError } from '@/lib/base/runtime/errors'
import { selectApiAddresses } from './queries'

/**
 * Returns an address in the form in which addresses of APIs are compared; undefined for a path of the platform and for
 * null.
 */
export const apiAddress = (address: string | null): string | undefined =>
  address ? URL.parse(address)?.href : undefined

/**
 * Throws 409 addressOfApi if another application with methods has this address: tokens for an API name its methods only
 * by their codes (docs/rules/access.md#addresses-of-apis). Call it while all applications are locked.
 */
export async function requireOwnAddress(tx: Transaction, id: string, url: string | null): Promise<void> {
  const address = apiAddress(url)
  if (!address) return
  const otherApplications = (await selectApiAddresses(tx)).filter((application) => application.id !== id)
  if (otherApplications.some((application) => apiAddress(application.url) === address))
    throw new AppError(409, 'addressOfApi')
}

/**
 * Throws 403 forbiddenAddress unless the caller holds every used method of an application: another application could
 * take its place at its address. `methodIds` are the ids of its methods that roles or service accounts have.
 */
export async function requireMovable(tx: Transaction, ctx: Ctx, methodIds: readonly string[]): Promise<void> {
  if (methodIds.length === 0 || (await isAdministrator(tx, ctx))) return
  const holds = await platformHolder(tx, ctx)
  if (!methodIds.every((id) => holds({ id, code: '', kind: 'application' })))
    throw new AppError(403, 'forbiddenAddress')
}
