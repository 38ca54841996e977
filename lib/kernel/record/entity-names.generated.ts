// Made by npm run generate.
/** The entity names in the history and the outbox. They are stored, so never change one or use it for another entity. */
export const entityNames = [
  'access-lists',
  'access-requests',
  'address-refusals',
  'applications',
  'consents',
  'contractors',
  'device-types',
  'dynamic-field-subtypes',
  'dynamic-field-tabs',
  'dynamic-fields',
  'events',
  'invitations',
  'messages',
  'network-aliases',
  'oidcClients',
  'organizations',
  'roles',
  'sessions',
  'settings',
  'users',
] as const
