/** The addresses of the password calls, apart from their contracts: public pages use them without loading zod. */
export const passwordPaths = {
  entryStatus: { method: 'GET', path: '/password/entry/link/status/{id}' },
  entry: { method: 'PUT', path: '/password/entry/{id}' },
} as const
