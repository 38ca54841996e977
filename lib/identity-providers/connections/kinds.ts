export const providerTypes = ['keycloak', 'wapps', 'oidc'] as const
export type ProviderType = (typeof providerTypes)[number]

/** What every directory of a type has of its people, by the names that the directory uses. */
export const sourcesOf = {
  keycloak: ['username', 'email', 'firstName', 'lastName'],
  wapps: ['login', 'email', 'mobile', 'lastName', 'firstName', 'middleName'],
  oidc: [
    'preferred_username',
    'email',
    'phone_number',
    'family_name',
    'given_name',
    'middle_name',
    'name',
    'nickname',
    'birthdate',
    'gender',
    'locale',
  ],
} as const
/** What of a person gives roles, if it isn't an attribute. */
export const accessSource = 'roles'
/** What a mapper of access gives. */
export const accessTargets = ['role', 'method'] as const
export type AccessTarget = (typeof accessTargets)[number]
