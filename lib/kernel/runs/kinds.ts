/** The kind of the runs that synchronize with a provider; runs keep it. */
export const syncKind = 'providers'
