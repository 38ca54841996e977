import type { Contract } from '@/lib/base/contracts/contract'
import { contractsOf, type Slice } from '@/lib/wiring/contracts'

const reading = ['GET', 'HEAD']
/** Addresses below /api that are not calls. */
const documents = ['/api/v1/openapi.json', '/api/v1/docs', '/api/v1/docs/viewer.js']

/** What leads people and providers through a sign-in there: redirects and forms, no calls. */
const throughProvider: [string, string[]][] = [
  ['/api/v1/platform/auth/providers/{id}/start', ['GET']],
  ['/api/v1/platform/auth/providers/{id}/callback', ['GET']],
  ['/api/v1/platform/auth/providers/{id}/logout', ['POST']],
]

type Place = { methods: readonly string[]; calls: ReadonlyMap<string, Call> }
type Call = { slice: Slice; contract: Contract }

const exact = new Map<string, Place>()
for (const [path, methods] of [...documents.map((path) => [path, reading] as const), ...throughProvider])
  exact.set(path, { methods, calls: new Map() })
for (const { slice, contracts } of contractsOf)
  for (const contract of contracts) {
    const address = `/api/v1/platform${contract.path}`
    const { methods = [], calls = [] } = exact.get(address) ?? {}
    exact.set(address, {
      methods: [...methods, ...(contract.method === 'GET' ? reading : [contract.method])],
      calls: new Map([...calls, [contract.method, { slice, contract }]]),
    })
  }
/** Orders addresses: a fixed segment comes before a parameter. */
const shapeOf = (address: string) => address.replace(/\{\w+\}|[^/]+/g, (part) => (part.startsWith('{') ? '1' : '0'))
const patterns = [...exact]
  .filter(([address]) => address.includes('{'))
  .sort(([one], [other]) => (shapeOf(one) < shapeOf(other) ? -1 : 1))
  .map(([address, place]) => ({
    address,
    pattern: new RegExp(`^${address.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/{}]+)')}$`),
    place,
  }))

function placeAt(path: string): { address: string; place: Place; params: Record<string, string> } | undefined {
  const place = path.includes('{') ? undefined : exact.get(path)
  if (place) return { address: path, place, params: {} }
  for (const { address, pattern, place } of patterns) {
    const found = pattern.exec(path)
    if (found) return { address, place, params: found.groups ?? {} }
  }
  return undefined
}

/** Returns the address of the call at a path, with `{id}` for its parameters; undefined for an unknown one. */
export const restPattern = (path: string): string | undefined => placeAt(path)?.address

/** Returns the methods that the REST API knows at a path; an empty list for an unknown address. */
export const restMethods = (path: string): readonly string[] => placeAt(path)?.place.methods ?? []

/**
 * Returns the call of a method and a path, its slice, and its parameters as they stand in the path, encoded. Returns
 * undefined if there is none.
 */
export function callAt(method: string, path: string): (Call & { params: Record<string, string> }) | undefined {
  const found = placeAt(path)
  const call = found?.place.calls.get(method === 'HEAD' ? 'GET' : method)
  return found && call ? { ...call, params: found.params } : undefined
}
