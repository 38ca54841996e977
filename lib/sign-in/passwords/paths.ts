/** The paths of the password calls in their own file, so that public pages can use them without loading zod. */
export const passwordPaths = {
  link: { method: 'POST', path: '/password/link' },
  linkStatus: { method: 'GET', path: '/password/link/status/{id}' },
  set: { method: 'PUT', path: '/password/{id}' },
  entryStatus: { method: 'GET', path: '/password/entry/link/status/{id}' },
  entry: { method: 'PUT', path: '/password/entry/{id}' },
} as const
