/** The path of the call, apart from its contract, so that the page can use it without loading zod. */
export const agreementPaths = { accept: { method: 'POST', path: '/user/agreements' } } as const
