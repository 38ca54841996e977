const reading = ['GET', 'HEAD']
/** The methods that an application may use from a browser, across origins. */
const across = (...methods: string[]) => [...methods, 'OPTIONS']

/** The paths below the provider's mount; `*` is an id. */
const methods: Record<string, readonly string[]> = {
  '/auth': [...reading, 'POST'],
  '/auth/*': reading,
  '/trial': ['GET'],
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
 * Returns a path below the mount in its comparable form: the router of the provider ignores letter case and a slash at
 * the end. An id at the end stays as it is.
 */
export function plainPath(path: string): string {
  const kept = path.replace(/(?<=.)\/$/, '')
  const plain = kept.toLowerCase()
  if (Object.hasOwn(methods, plain)) return plain
  const id = kept.lastIndexOf('/') + 1
  return plain.slice(0, id) + kept.slice(id)
}

/** Returns the methods of a comparable path below the mount; undefined for an unknown path. */
export function providerMethods(path: string): readonly string[] | undefined {
  return Object.hasOwn(methods, path) ? methods[path] : methods[path.replace(/[^/]+$/, '*')]
}
