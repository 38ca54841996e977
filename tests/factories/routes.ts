import type { Contract } from '@/lib/kernel/http/contract'
import type { RouteHandler } from '@/lib/kernel/http/route'

type Methods = Partial<Record<string, RouteHandler>>
/**
 * Every route file of the REST API, by its path in the repository. What leads people and providers through a sign-in there
 * is no call: `tests/integration/provider-sign-in-attacks.test.ts` attacks it.
 */
export const routeFiles = import.meta.glob(
  ['/app/api/v1/platform/**/route.ts', '!/app/api/v1/platform/auth/providers/**'],
  { eager: true },
) as Record<string, Methods>

export const routeFileOf = ({ path }: Pick<Contract, 'path'>) =>
  `/app/api/v1/platform${path.replace(/\{(\w+)\}/g, '[$1]')}/route.ts`

/** Returns the handler of a call. routes.test.ts proves that each call has one. */
export const handlerOf = (contract: Contract) => routeFiles[routeFileOf(contract)]?.[contract.method] as RouteHandler

/** Contracts with their names, for `test.each`. */
export const byName = (contracts: readonly Contract[]) =>
  contracts.map((contract) => [contract.name, contract] as const)
