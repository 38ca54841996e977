/** The paths of the invitation calls in their own file, so that the page can use them without loading zod. */
export const invitationPaths = {
  read: { method: 'GET', path: '/invitation/{id}' },
  decline: { method: 'DELETE', path: '/invitation/{id}' },
  code: { method: 'POST', path: '/invitation/code' },
  verify: { method: 'PUT', path: '/invitation/verify' },
  accept: { method: 'POST', path: '/invitation/accept' },
} as const
