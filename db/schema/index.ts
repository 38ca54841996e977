// Made by npm run generate.
export * from './dynamic-fields'
export * from './entry'
export * from './notices'
export * from './oidc'
export * from './operations'
export * from './people'
export * from './platform'
