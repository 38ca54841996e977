import type { Ctx } from '../context/ctx'
import type { Contract, ServiceInput, ServiceOutput } from '../contracts/contract'

/** A contract and the function that answers it. */
export type Endpoint = { contract: Contract; verb: (ctx: Ctx, input: never) => Promise<unknown> }

/** Returns whether an export of a contract.ts is a contract. */
export const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value

type IsContract<Value> = Value extends { method: string; path: string; response: unknown } ? true : false
type Verbs<Exports> = {
  [Name in keyof Exports as IsContract<Exports[Name]> extends true ? Name : never]: (
    ctx: Ctx,
    input: ServiceInput<Exports[Name]>,
  ) => Promise<ServiceOutput<Exports[Name]>>
}

/**
 * States which functions answer the contracts of a slice: each contract that contract.ts exports is answered by the
 * function of the same name. Returns the endpoints by the names of their contracts.
 */
export function endpoints<Exports extends object>(
  calls: Exports,
  verbs: Verbs<Exports>,
): ReadonlyMap<string, Endpoint> {
  const all = new Map<string, Endpoint>()
  for (const [name, contract] of Object.entries(calls)) {
    const verb = (verbs as Record<string, Endpoint['verb']>)[name]
    if (isContract(contract) && verb) all.set(contract.name, { contract, verb })
  }
  return all
}
