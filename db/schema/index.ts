// The one place where the whole schema is gathered: for the client and for drizzle-kit.
export * from './dynamic-fields'
export * from './entry'
export * from './oidc'
export * from './operations'
export * from './people'
export * from './platform'
