import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'
import { methods, users } from './people'
import { applications } from './platform'

export const oidcClientType = pgEnum('oidc_client_type', ['confidential', 'public'])
/** How a client authenticates at the OpenID Provider; a public one doesn't. */
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

/** Encrypted under the client's id; without a date it is valid until it is replaced. */
export type OidcSecret = { sealed: string; expiresAt: string | null; createdAt?: string }

export type SigningAlg = 'RS256' | 'PS256' | 'ES256'

/** An application's client at the OpenID Provider. */
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
    /** The newest first; two while one replaces the other. */
    secrets: jsonb().$type<OidcSecret[]>().notNull().default([]),
    authMethod: oidcAuthMethod().notNull().default('client_secret_basic'),
    /** Public keys of a client that authenticates by private_key_jwt: their value, or their address. */
    jwks: jsonb().$type<{ keys: Record<string, unknown>[] }>(),
    jwksUri: text(),
    redirectUris: text().array().notNull().default([]),
    postLogoutRedirectUris: text().array().notNull().default([]),
    /** Origins whose pages may call the OpenID Provider for this client, besides those of its redirect addresses. */
    allowedOrigins: text().array().notNull().default([]),
    grantTypes: text().array().notNull(),
    /** Seconds; null means the value of the settings. */
    accessTokenLifespan: integer(),
    refreshTokenLifespan: integer(),
    backchannelLogoutUri: text(),
    applicationType: oidcApplicationType().notNull().default('web'),
    /** Whether its authorization requests need PKCE; false is possible for confidential clients only. */
    pkceRequired: boolean().notNull().default(true),
    /** The algorithm that signs its ID tokens and logout tokens. */
    idTokenAlg: text().$type<SigningAlg>().notNull().default('RS256'),
    enabled: boolean().notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('oidc_clients_application').on(t.applicationId)],
)

/** Records of the OpenID Provider: sessions, grants, tokens. Their ids are stored only as digests. */
export const oidcRecords = pgTable(
  'oidc_records',
  {
    idHash: text().primaryKey(),
    model: text().notNull(),
    /** Encrypted JSON. */
    payload: text().notNull(),
    /** A session's permanent id, by which tokens find it. */
    uid: text(),
    grantId: text(),
    sessionUid: text(),
    /** The account and the client of the record. */
    accountId: text(),
    clientId: text(),
    consumedAt: moment(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
  },
  (t) => [
    index('oidc_records_live_grants').on(t.createdAt, t.idHash).where(sql`${t.model} = 'Grant'`),
    index('oidc_records_client_grants').on(t.clientId, t.createdAt, t.idHash).where(sql`${t.model} = 'Grant'`),
    index('oidc_records_uid').on(t.uid),
    index('oidc_records_grant').on(t.grantId),
    index('oidc_records_session').on(t.sessionUid),
    index('oidc_records_account').on(t.accountId, t.clientId),
    index('oidc_records_expires').on(t.expiresAt),
  ],
)

/** The answer to the use of a refresh token, stored for the seconds in which a repetition gets the same answer. */
export const oidcAnswers = pgTable(
  'oidc_answers',
  {
    /** The id of the used token in `oidc_records`. */
    idHash: text().primaryKey(),
    /** Encrypted JSON. */
    answer: text().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [index('oidc_answers_expires').on(t.expiresAt)],
)

const keyColumns = () => ({
  id: uuid().primaryKey(),
  state: oidcKeyState().notNull(),
  /** Private JWK, encrypted under the id. */
  jwk: text().notNull(),
  createdAt: moment().notNull(),
  activatedAt: moment(),
  retiredAt: moment(),
})

/** Signing keys for RS256: published before they sign, and as long as something that they signed is valid. */
export const oidcKeys = pgTable('oidc_keys', keyColumns())

/** Keys for other algorithms, in a separate table because the previous version uses all keys of the first for RS256. */
export const oidcAlgorithmKeys = pgTable('oidc_algorithm_keys', {
  ...keyColumns(),
  alg: text().$type<SigningAlg>().notNull(),
})

/** Each back-channel logout with its result. */
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

/** Methods of an application's service account: calls with its bearer token hold them. */
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

/** The data about people that they allow external applications to read. */
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
