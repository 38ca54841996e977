/** The kind of the runs that synchronize with a provider; runs keep it. */
export const syncKind = 'providers'
/** The kind of the runs that exchange data with another system. */
export const integrationKind = 'integration'
