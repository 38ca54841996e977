/** The path of the call in its own file, so that the page doesn't load zod. */
export const agreementPaths = { accept: { method: 'POST', path: '/user/agreements' } } as const
