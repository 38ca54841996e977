import { liveRoute } from '@/lib/context/live'
import { route } from '@/lib/context/route'
import type { Contract } from '@/lib/kernel/http/contract'
import type { Endpoint } from '@/lib/kernel/http/endpoints'
import type { RouteHandler } from '@/lib/kernel/http/route'

/**
 * The endpoints of all slices. What leads people and providers through a sign-in there is no endpoint:
 * `tests/integration/provider-sign-in-attacks.test.ts` attacks it.
 */
const slices = import.meta.glob(['/lib/*/*/endpoints.ts', '!/lib/kernel/**'], {
  eager: true,
  import: 'default',
}) as Record<string, ReadonlyMap<string, Endpoint>>

export const endpoints: ReadonlyMap<string, Endpoint> = new Map(Object.values(slices).flatMap((all) => [...all]))

const handlers = new Map<string, RouteHandler>(
  [...endpoints].map(([name, { contract, verb }]) => [name, route(contract, verb as never)]),
)
// it streams to those who ask for it
handlers.set('live', liveRoute)

/** Returns the handler of a call. routes.test.ts proves that each call has one. */
export const handlerOf = ({ name }: Pick<Contract, 'name'>) => handlers.get(name) as RouteHandler

/** Contracts with their names, for `test.each`. */
export const byName = (contracts: readonly Contract[]) =>
  contracts.map((contract) => [contract.name, contract] as const)
