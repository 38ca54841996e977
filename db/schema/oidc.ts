import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'
import { methods, users } from './people'
import { applications } from './platform'

export const oidcClientType = pgEnum('oidc_client_type', ['confidential', 'public'])
/** How a client authenticates at the provider; a public one doesn't. */
export const oidcAuthMethod = pgEnum('oidc_auth_method', [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
])
/** Where a client's people sign in: at a site, or in a program on their own device (RFC 8252). */
export const oidcApplicationType = pgEnum('oidc_application_type', ['web', 'native'])
export const oidcKeyState = pgEnum('oidc_key_state', ['next', 'active', 'retired'])
export const oidcLogoutStatus = pgEnum('oidc_logout_status', ['queued', 'sent', 'failed'])

/** Sealed under the client's id; without a date it is valid until it is replaced. */
export type OidcSecret = { sealed: string; expiresAt: string | null; createdAt?: string }

export type SigningAlg = 'RS256' | 'PS256' | 'ES256'

/** How an application comes to the OpenID Provider. */
export const oidcClients = pgTable(
  'oidc_clients',
  {
    id: uuid().primaryKey().defaultRandom(),
    applicationId: uuid()
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    clientId: text().notNull().unique('oidc_clients_client_id'),
    name: text().notNull(),
    type: oidcClientType().notNull(),
    /** Newest first; two while one replaces the other. */
    secrets: jsonb().$type<OidcSecret[]>().notNull().default([]),
    authMethod: oidcAuthMethod().notNull().default('client_secret_basic'),
    /** Public keys of a client that proves itself by private_key_jwt: theirs by value, or where they are. */
    jwks: jsonb().$type<{ keys: Record<string, unknown>[] }>(),
    jwksUri: text(),
    redirectUris: text().array().notNull().default([]),
    postLogoutRedirectUris: text().array().notNull().default([]),
    /** Whose pages may call the provider for it, besides those of its redirect addresses. */
    allowedOrigins: text().array().notNull().default([]),
    grantTypes: text().array().notNull(),
    /** Seconds; null means the value of the settings. */
    accessTokenLifespan: integer(),
    refreshTokenLifespan: integer(),
    backchannelLogoutUri: text(),
    applicationType: oidcApplicationType().notNull().default('web'),
    /** Whether its authorization requests need PKCE; false is possible for confidential clients only. */
    pkceRequired: boolean().notNull().default(true),
    /** By which algorithm its ID tokens and logout tokens are signed. */
    idTokenAlg: text().$type<SigningAlg>().notNull().default('RS256'),
    enabled: boolean().notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('oidc_clients_application').on(t.applicationId)],
)

/** Records of the provider: sessions, grants, tokens. Their ids are stored only as digests. */
export const oidcRecords = pgTable(
  'oidc_records',
  {
    idHash: text().primaryKey(),
    model: text().notNull(),
    /** Sealed JSON. */
    payload: text().notNull(),
    /** A session's permanent name, by which tokens find it. */
    uid: text(),
    grantId: text(),
    sessionUid: text(),
    /** Whose it is, and which application's. */
    accountId: text(),
    clientId: text(),
    consumedAt: moment(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
  },
  (t) => [
    index('oidc_records_live_grants').on(t.createdAt, t.idHash).where(sql`${t.model} = 'Grant'`),
    index('oidc_records_uid').on(t.uid),
    index('oidc_records_grant').on(t.grantId),
    index('oidc_records_session').on(t.sessionUid),
    index('oidc_records_account').on(t.accountId, t.clientId),
    index('oidc_records_expires').on(t.expiresAt),
  ],
)

/** What was answered when a refresh token was used up, for the seconds in which the same is answered again. */
export const oidcAnswers = pgTable(
  'oidc_answers',
  {
    /** The used token's in `oidc_records`. */
    idHash: text().primaryKey(),
    /** Sealed JSON. */
    answer: text().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [index('oidc_answers_expires').on(t.expiresAt)],
)

const keyColumns = () => ({
  id: uuid().primaryKey(),
  state: oidcKeyState().notNull(),
  /** Private JWK, sealed under the id. */
  jwk: text().notNull(),
  createdAt: moment().notNull(),
  activatedAt: moment(),
  retiredAt: moment(),
})

/** Signing keys: published before they sign, and for as long as something that they signed is valid. For RS256. */
export const oidcKeys = pgTable('oidc_keys', keyColumns())

/** Keys for other algorithms, apart because the previous version uses all keys of the first table for RS256. */
export const oidcAlgorithmKeys = pgTable('oidc_algorithm_keys', {
  ...keyColumns(),
  alg: text().$type<SigningAlg>().notNull(),
})

/** Each back-channel logout with its outcome. */
export const oidcLogouts = pgTable(
  'oidc_logouts',
  {
    id: uuid().primaryKey().defaultRandom(),
    clientId: text().notNull(),
    accountId: text().notNull(),
    sid: text().notNull(),
    status: oidcLogoutStatus().notNull().default('queued'),
    attempts: integer().notNull().default(0),
    error: text(),
    createdAt: createdAt(),
    finishedAt: moment(),
  },
  (t) => [
    index('oidc_logouts_created').on(t.createdAt),
    index('oidc_logouts_failed').on(t.clientId, t.finishedAt).where(sql`${t.status} = 'failed'`),
  ],
)

/** What an application's service account may do: calls with its bearer token hold these methods. */
export const applicationServiceMethods = pgTable(
  'application_service_methods',
  {
    applicationId: uuid()
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    methodId: uuid()
      .notNull()
      .references(() => methods.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.applicationId, t.methodId] }),
    index('application_service_methods_method').on(t.methodId),
  ],
)

/** What people allow external applications to know about them. */
export const oidcConsents = pgTable(
  'oidc_consents',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    clientId: uuid()
      .notNull()
      .references(() => oidcClients.id, { onDelete: 'cascade' }),
    scopes: text().array().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [unique('oidc_consents_user_client').on(t.userId, t.clientId), index('oidc_consents_client').on(t.clientId)],
)
