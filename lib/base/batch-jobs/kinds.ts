/** The kind of the batch jobs that synchronize with an identity provider. It is stored and never changes. */
export const syncKind = 'providers'
/** The kind of the batch jobs of exchanges with other systems. It is stored and never changes. */
export const integrationKind = 'integration'
