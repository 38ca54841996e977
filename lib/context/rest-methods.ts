import { contracts } from './contracts'

const reading = ['GET', 'HEAD']
/** Addresses below /api that are not calls. */
const documents = ['/api/v1/openapi.json', '/api/v1/docs', '/api/v1/docs/viewer.js']

/** What leads people and providers through a sign-in there: redirects and forms, no calls. */
const throughProvider: [string, string[]][] = [
  ['/api/v1/platform/auth/providers/{id}/start', ['GET']],
  ['/api/v1/platform/auth/providers/{id}/callback', ['GET']],
  ['/api/v1/platform/auth/providers/{id}/logout', ['POST']],
]

const exact = new Map<string, string[]>([
  ...documents.map((path): [string, string[]] => [path, reading]),
  ...throughProvider,
])
for (const { path, method } of contracts) {
  const address = `/api/v1/platform${path}`
  exact.set(address, [...(exact.get(address) ?? []), ...(method === 'GET' ? reading : [method])])
}
/** Orders addresses as the router does: a fixed segment comes before a parameter. */
const shapeOf = (address: string) => address.replace(/\{\w+\}|[^/]+/g, (part) => (part.startsWith('{') ? '1' : '0'))
const patterns = [...exact]
  .filter(([address]) => address.includes('{'))
  .sort(([one], [other]) => (shapeOf(one) < shapeOf(other) ? -1 : 1))
  .map(([address, methods]) => ({
    address,
    pattern: new RegExp(`^${address.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/{}]+')}$`),
    methods,
  }))

const knownAt = (path: string) => (path.includes('{') ? undefined : exact.get(path))

/** Returns the address of the call at a path, with `{id}` for its parameters; undefined for an unknown one. */
export const restPattern = (path: string): string | undefined =>
  knownAt(path) ? path : patterns.find(({ pattern }) => pattern.test(path))?.address

/** Returns the methods that the REST surface knows at a path; an empty list for an unknown address. */
export const restMethods = (path: string): readonly string[] =>
  knownAt(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.methods ?? []
