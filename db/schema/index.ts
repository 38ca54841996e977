// Made by npm run generate.
export * from './contacts'
export * from './dynamic-fields'
export * from './entry'
export * from './oidc'
export * from './operations'
export * from './people'
export * from './pictures'
export * from './platform'
