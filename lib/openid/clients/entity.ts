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
} from '@/lib/base/audit/entity'

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

/** The kinds of codes and tokens that work once. */
const reusedKinds = ['refreshToken', 'code', 'deviceCode'] as const
export type ReusedKind = (typeof reusedKinds)[number]

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
    /**
     * A code or token that works once was used again: its kind, its person, and whether the tokens of its grant were
     * ended.
     */
    reused: json<{ of: ReusedKind; userId: string | null; ended: boolean }>('history.oidcClients.reused', undefined, {
      of: choice('history.oidcClients.reusedOf', reusedKinds, 'history.oidcClients.reusable'),
      userId: reference('history.oidcClients.reusedUser', 'users'),
      ended: yesNo('history.oidcClients.reusedEnded'),
    }),
    /** Why a logout notice became dead. */
    noticeGivenUp: text('history.oidcClients.noticeGivenUp'),
    /** When there were so many wrong secrets that addresses are refused. */
    secretGuessed: date('history.oidcClients.secretGuessed'),
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
    allowedOrigins: list<string>('history.oidcClients.allowedOrigins'),
    grantTypes: list<string>('history.oidcClients.grantTypes'),
    accessTokenLifespan: number('history.oidcClients.accessTokenLifespan'),
    refreshTokenLifespan: number('history.oidcClients.refreshTokenLifespan'),
    idTokenAlg: text('history.oidcClients.idTokenAlg'),
    pkceRequired: yesNo('history.oidcClients.pkceRequired'),
    enabled: yesNo('history.oidcClients.enabled'),
  },
  { area: 'applications' },
)
