/** The path of the call in its own file, so that the public page doesn't load zod. */
export const reportPath = { method: 'POST', path: '/auth/sign-in/{id}/report' } as const
