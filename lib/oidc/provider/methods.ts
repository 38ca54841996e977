const reading = ['GET', 'HEAD']
/** What an application may ask for from a browser, across origins. */
const across = (...methods: string[]) => [...methods, 'OPTIONS']

/** The addresses below the provider's mount; `*` is an id. */
const methods: Record<string, readonly string[]> = {
  '/auth': [...reading, 'POST'],
  '/auth/*': reading,
  '/token': across('POST'),
  '/token/introspection': across('POST'),
  '/token/revocation': across('POST'),
  '/request': across('POST'),
  '/me': across(...reading, 'POST'),
  '/jwks': across(...reading),
  '/.well-known/openid-configuration': across(...reading),
  '/.well-known/oauth-authorization-server': across(...reading),
  '/session/end': [...reading, 'POST'],
  '/session/end/confirm': ['POST'],
  '/session/end/success': reading,
  '/device': [...reading, 'POST'],
  '/device/auth': across('POST'),
  '/device/*': reading,
}

/**
 * A path below the mount as everybody compares it: the provider's router knows neither letter case nor a slash at the
 * end. An id at its end stays what it is.
 */
export function plainPath(path: string): string {
  const kept = path.replace(/(?<=.)\/$/, '')
  const plain = kept.toLowerCase()
  if (Object.hasOwn(methods, plain)) return plain
  const id = kept.lastIndexOf('/') + 1
  return plain.slice(0, id) + kept.slice(id)
}

/** The methods that the provider knows at a plain path below its mount; undefined when there is no such address. */
export function providerMethods(path: string): readonly string[] | undefined {
  return Object.hasOwn(methods, path) ? methods[path] : methods[path.replace(/[^/]+$/, '*')]
}
