/** The paths of the registration calls in their own file, so that public pages can use them without loading zod. */
export const registrationPaths = {
  link: { method: 'POST', path: '/registration/link' },
  status: { method: 'GET', path: '/registration/status/{id}' },
  code: { method: 'POST', path: '/registration/code' },
  verify: { method: 'PUT', path: '/registration/verify' },
  complete: { method: 'POST', path: '/registration/complete' },
} as const
