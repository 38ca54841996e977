import type { Ctx } from '@/lib/base/context/ctx'
import type { Contract } from '@/lib/base/contracts/contract'
import type { RouteHandler } from '@/lib/base/http/route'
import { liveRoute } from '@/lib/request/live'
import { route } from '@/lib/request/route'
import { contractsOf } from '@/lib/wiring/contracts'
import { endpointsOf } from '@/lib/wiring/contracts.generated'

type Named = Pick<Contract, 'name'>

const slices = new Map(
  contractsOf.flatMap(({ slice, contracts }) => contracts.map(({ name }) => [name, slice] as const)),
)

/**
 * Returns the endpoint of a call. What leads people and providers through a sign-in there is none:
 * `tests/integration/directory-sync/provider-sign-in-attacks.test.ts` attacks it.
 */
async function endpointOf({ name }: Named) {
  const slice = slices.get(name)
  const endpoint = slice && (await endpointsOf[slice]()).default.get(name)
  if (!endpoint) throw new Error(`nothing answers ${name}`)
  return endpoint
}

/** Returns the handler of a call, which loads the slice with its first request. */
export const handlerOf = (call: Named): RouteHandler =>
  // it streams to those who ask for it
  call.name === 'live'
    ? liveRoute
    : Object.assign(
        async (...[request, args]: Parameters<RouteHandler>) => {
          const { contract, serve } = await endpointOf(call)
          return route(contract, serve as never)(request, args)
        },
        { serve: async (ctx: Ctx, input: never) => (await endpointOf(call)).serve(ctx, input) },
      )

/** Contracts with their names, for `test.each`. */
export const byName = (contracts: readonly Contract[]) =>
  contracts.map((contract) => [contract.name, contract] as const)
