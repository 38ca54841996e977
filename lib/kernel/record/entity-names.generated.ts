// Made by npm run generate.
/** What the history and the outbox call each kind of thing. These names are stored: none is changed or used anew. */
export const entityNames = [
  'access-lists',
  'address-refusals',
  'applications',
  'consents',
  'contractors',
  'device-types',
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
