import { isContract } from '@/lib/base/http/endpoints'
import { modules } from './contracts.generated'

export type Slice = keyof typeof modules

/** The contracts of the REST API by the slice that declares them. */
export const contractsOf = Object.entries(modules).map(([slice, module]) => ({
  slice: slice as Slice,
  contracts: Object.values(module).filter(isContract),
}))

/** The contract of every endpoint of the REST API. */
export const contracts = contractsOf.flatMap(({ contracts }) => contracts)
