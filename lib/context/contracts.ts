import type { Contract } from '@/lib/kernel/http/contract'
import { modules } from './contracts.generated'

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value

/** Every call of the REST surface. A test holds it against the route files. */
export const contracts: readonly Contract[] = modules.flatMap((module) => Object.values(module).filter(isContract))
