import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { isAdministrator, platformHolder } from '@/lib/base/effective-rights/service'
import { AppError } from '@/lib/base/runtime/errors'
import { selectApiAddresses } from './queries'

/** Returns an address in the form in which those of APIs are compared; undefined for a path of the platform and for none. */
export const apiAddress = (address: string | null): string | undefined =>
  address ? URL.parse(address)?.href : undefined

/**
 * Throws 409 addressOfApi if another application with methods has this address: tokens for an API name its methods by their
 * codes alone (docs/rules/access.md#addresses-of-apis). Call it when all applications are locked.
 */
export async function requireOwnAddress(tx: Transaction, id: string, url: string | null): Promise<void> {
  const address = apiAddress(url)
  if (!address) return
  const others = (await selectApiAddresses(tx)).filter((one) => one.id !== id)
  if (others.some((one) => apiAddress(one.url) === address)) throw new AppError(409, 'addressOfApi')
}

/**
 * Throws 403 forbiddenAddress if somebody has a method of an application that the caller couldn't take: at its address
 * another application could stand in for it. `used` are the ids of its methods that are given.
 */
export async function requireMovable(tx: Transaction, ctx: Ctx, used: readonly string[]): Promise<void> {
  if (used.length === 0 || (await isAdministrator(tx, ctx))) return
  const holds = await platformHolder(tx, ctx)
  if (!used.every((id) => holds({ id, code: '', kind: 'application' }))) throw new AppError(403, 'forbiddenAddress')
}
