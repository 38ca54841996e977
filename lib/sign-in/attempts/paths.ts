/** The path of the sign-out in its own file, so that pages can use it without loading zod. */
export const authPaths = { logout: { method: 'POST', path: '/auth/logout' } } as const
