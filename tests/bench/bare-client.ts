/** The only client of the bare provider. */
export const bareClient = { id: 'bare', secret: 'bare-secret-of-the-benchmark' }
