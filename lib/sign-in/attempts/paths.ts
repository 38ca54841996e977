/** The paths of the sign-in calls in their own file, so that public pages can use them without loading zod. */
export const authPaths = {
  config: { method: 'GET', path: '/auth/config/{idAttribute}' },
  code: { method: 'POST', path: '/auth/code/{idAttribute}' },
  login: { method: 'POST', path: '/auth/login/{idAttribute}' },
  logout: { method: 'POST', path: '/auth/logout' },
} as const
