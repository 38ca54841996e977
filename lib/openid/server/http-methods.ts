const readMethods = ['GET', 'HEAD']
/** Returns HTTP methods that an application may use from a browser, across origins. */
const crossOrigin = (...methods: string[]) => [...methods, 'OPTIONS']

/** The HTTP methods of the paths below the OpenID Provider's mount; `*` is an id. */
const methods: Record<string, readonly string[]> = {
  '/auth': [...readMethods, 'POST'],
  '/auth/*': readMethods,
  '/trial': ['GET'],
  '/token': crossOrigin('POST'),
  '/token/introspection': crossOrigin('POST'),
  '/token/revocation': crossOrigin('POST'),
  '/request': crossOrigin('POST'),
  '/me': crossOrigin(...readMethods, 'POST'),
  '/jwks': crossOrigin(...readMethods),
  '/.well-known/openid-configuration': crossOrigin(...readMethods),
  '/.well-known/oauth-authorization-server': crossOrigin(...readMethods),
  '/session/end': [...readMethods, 'POST'],
  '/session/end/confirm': ['POST'],
  '/session/end/success': readMethods,
  '/device': [...readMethods, 'POST'],
  '/device/auth': crossOrigin('POST'),
  '/device/*': readMethods,
}

/**
 * Returns a path below the mount in its comparable form: the router of oidc-provider ignores letter case and a slash at
 * the end. An id at the end stays as it is.
 */
export function plainPath(path: string): string {
  const trimmed = path.replace(/(?<=.)\/$/, '')
  const plain = trimmed.toLowerCase()
  if (Object.hasOwn(methods, plain)) return plain
  const id = trimmed.lastIndexOf('/') + 1
  return plain.slice(0, id) + trimmed.slice(id)
}

/** Returns the HTTP methods of a comparable path below the mount; undefined for an unknown path. */
export function providerMethods(path: string): readonly string[] | undefined {
  return Object.hasOwn(methods, path) ? methods[path] : methods[path.replace(/[^/]+$/, '*')]
}
