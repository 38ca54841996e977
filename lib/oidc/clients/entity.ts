import { oidcApplicationType, oidcAuthMethod, oidcClientType } from '@/db/schema/oidc'
import {
  address,
  choice,
  date,
  defineEntity,
  json,
  list,
  number,
  records,
  reference,
  secret,
  text,
  yesNo,
} from '@/lib/kernel/record/entity'

/** The members of a private key. Clients register public keys only; these are masked in any case. */
const privateMembers = {
  d: true,
  p: true,
  q: true,
  dp: true,
  dq: true,
  qi: true,
  oth: true,
  k: true,
  priv: true,
} as const

export const clientEntity = defineEntity(
  'oidcClients',
  {
    applicationId: reference('history.oidcClients.applicationId', 'applications'),
    clientId: text('history.oidcClients.clientId'),
    name: text('history.oidcClients.name'),
    type: choice('history.oidcClients.type', oidcClientType.enumValues, 'history.oidcClients.types'),
    authMethod: choice('history.oidcClients.authMethod', oidcAuthMethod.enumValues, 'history.oidcClients.authMethods'),
    secret: secret('history.oidcClients.secret'),
    /** When the secret was read. */
    secretRead: date('history.oidcClients.secretRead'),
    /** When somebody began a trial sign-in with it. */
    tried: date('history.oidcClients.tried'),
    jwks: json<{ keys: readonly Record<string, unknown>[] }>(
      'history.oidcClients.jwks',
      { keys: privateMembers },
      { keys: records<object>('', 'kid', {}) },
    ),
    jwksUri: address('history.oidcClients.jwksUri'),
    applicationType: choice(
      'history.oidcClients.applicationType',
      oidcApplicationType.enumValues,
      'history.oidcClients.applicationTypes',
    ),
    redirectUris: list<string>('history.oidcClients.redirectUris'),
    postLogoutRedirectUris: list<string>('history.oidcClients.postLogoutRedirectUris'),
    backchannelLogoutUri: address('history.oidcClients.backchannelLogoutUri'),
    grantTypes: list<string>('history.oidcClients.grantTypes'),
    accessTokenLifespan: number('history.oidcClients.accessTokenLifespan'),
    refreshTokenLifespan: number('history.oidcClients.refreshTokenLifespan'),
    idTokenAlg: text('history.oidcClients.idTokenAlg'),
    pkceRequired: yesNo('history.oidcClients.pkceRequired'),
    enabled: yesNo('history.oidcClients.enabled'),
  },
  { area: 'applications' },
)
