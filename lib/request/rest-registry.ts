import type { Contract } from '@/lib/base/contracts/contract'
import { contractsOf, type Slice } from '@/lib/wiring/contracts'

const readMethods = ['GET', 'HEAD']
/** Addresses below /api that aren't endpoints. */
const documents = ['/api/v1/openapi.json', '/api/v1/docs', '/api/v1/docs/viewer.js']

/** Routes of a sign-in through an identity provider: redirects and forms, no endpoints. */
const signInRoutes: [string, string[]][] = [
  ['/api/v1/platform/auth/providers/{id}/start', ['GET']],
  ['/api/v1/platform/auth/providers/{id}/callback', ['GET']],
  ['/api/v1/platform/auth/providers/{id}/logout', ['POST']],
]

type Address = { methods: readonly string[]; calls: ReadonlyMap<string, Call> }
type Call = { slice: Slice; contract: Contract }

const exact = new Map<string, Address>()
for (const [path, methods] of [...documents.map((path) => [path, readMethods] as const), ...signInRoutes])
  exact.set(path, { methods, calls: new Map() })
for (const { slice, contracts } of contractsOf)
  for (const contract of contracts) {
    const address = `/api/v1/platform${contract.path}`
    const { methods = [], calls = [] } = exact.get(address) ?? {}
    exact.set(address, {
      methods: [...methods, ...(contract.method === 'GET' ? readMethods : [contract.method])],
      calls: new Map([...calls, [contract.method, { slice, contract }]]),
    })
  }
/** Orders addresses: a fixed segment comes before a parameter. */
const shapeOf = (address: string) => address.replace(/\{\w+\}|[^/]+/g, (part) => (part.startsWith('{') ? '1' : '0'))
const patterns = [...exact]
  .filter(([address]) => address.includes('{'))
  .sort(([left], [right]) => (shapeOf(left) < shapeOf(right) ? -1 : 1))
  .map(([address, place]) => ({
    address,
    pattern: new RegExp(`^${address.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/{}]+)')}$`),
    place,
  }))

function addressAt(path: string): { address: string; place: Address; params: Record<string, string> } | undefined {
  const place = path.includes('{') ? undefined : exact.get(path)
  if (place) return { address: path, place, params: {} }
  for (const { address, pattern, place } of patterns) {
    const match = pattern.exec(path)
    if (match) return { address, place, params: match.groups ?? {} }
  }
  return undefined
}

/** Returns the address of the endpoint at a path, with `{id}` for its parameters; undefined for an unknown path. */
export const restPattern = (path: string): string | undefined => addressAt(path)?.address

/** Returns the HTTP methods of the REST API at a path; an empty list for an unknown path. */
export const restMethods = (path: string): readonly string[] => addressAt(path)?.place.methods ?? []

/**
 * Returns what answers a method and a path: the address, its parameters, and the call with its slice unless the address
 * is no endpoint. Returns undefined if nothing does. Throws URIError for a parameter that is no encoded text.
 */
export function restMatch(method: string, path: string) {
  const match = addressAt(path)
  if (!match?.place.methods.includes(method)) return undefined
  const { address, place, params } = match
  const decoded = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)])
  const call: Call | undefined = place.calls.get(method === 'HEAD' ? 'GET' : method)
  return { address, call, params: Object.fromEntries(decoded) as Record<string, string> }
}
