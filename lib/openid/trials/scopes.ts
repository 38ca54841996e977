/** The scopes that a trial may ask for besides `openid`. */
export const trialScopes = ['profile', 'email', 'phone', 'roles', 'contractors', 'fields'] as const
