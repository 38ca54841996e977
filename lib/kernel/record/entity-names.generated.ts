// Made by npm run generate.
/** The entity names in the history and the outbox. They are stored, so never change one or use it for another entity. */
export const entityNames = [
  'access-lists',
  'address-refusals',
  'applications',
  'consents',
  'device-types',
  'events',
  'invitations',
  'messages',
  'network-aliases',
  'oidcClients',
  'sessions',
  'settings',
  'users',
] as const
