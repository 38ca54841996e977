export const providerTypes = ['keycloak', 'wapps', 'oidc'] as const
export type ProviderType = (typeof providerTypes)[number]

/** The fields that each type of directory has for every person, by the names of the directory. */
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
/** The source of access that is not an attribute: the roles of the person in the directory. */
export const accessSource = 'roles'
/** What a mapper of access gives to a person. */
export const accessTargets = ['role', 'method'] as const
export type AccessTarget = (typeof accessTargets)[number]
