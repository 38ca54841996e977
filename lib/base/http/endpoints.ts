import type { Ctx } from '../context/ctx'
import type { Contract, ServiceInput, ServiceOutput } from '../contracts/contract'

/** A contract and the service function (`serve`) that answers it. */
export type Endpoint = { contract: Contract; serve: (ctx: Ctx, input: never) => Promise<unknown> }

/** Returns whether an export of a contract.ts is a contract. */
export const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value

type IsContract<Value> = Value extends { method: string; path: string; response: unknown } ? true : false
type ServiceFunctions<Exports> = {
  [Name in keyof Exports as IsContract<Exports[Name]> extends true ? Name : never]: (
    ctx: Ctx,
    input: ServiceInput<Exports[Name]>,
  ) => Promise<ServiceOutput<Exports[Name]>>
}

/**
 * Declares the endpoints of a module: the service function of the same name answers each contract that contract.ts
 * exports. Returns the endpoints by the names of their contracts.
 */
export function endpoints<Exports extends object>(
  calls: Exports,
  serviceFunctions: ServiceFunctions<Exports>,
): ReadonlyMap<string, Endpoint> {
  const endpointsByName = new Map<string, Endpoint>()
  for (const [name, contract] of Object.entries(calls)) {
    const serve = (serviceFunctions as Record<string, Endpoint['serve']>)[name]
    if (isContract(contract) && serve) endpointsByName.set(contract.name, { contract, serve })
  }
  return endpointsByName
}
