import { boolean, index, integer, jsonb, pgEnum, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { applications } from './platform'

const now = () => timestamp({ withTimezone: true, mode: 'date' })

export const oidcClientType = pgEnum('oidc_client_type', ['confidential', 'public'])
export const oidcKeyState = pgEnum('oidc_key_state', ['next', 'active', 'retired'])
export const oidcLogoutStatus = pgEnum('oidc_logout_status', ['queued', 'sent', 'failed'])

/** Sealed under the client's id; without a date it holds until it is replaced. */
export type OidcSecret = { sealed: string; expiresAt: string | null }

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
    /** Newest first; two while one takes the other's place. */
    secrets: jsonb().$type<OidcSecret[]>().notNull().default([]),
    redirectUris: text().array().notNull().default([]),
    postLogoutRedirectUris: text().array().notNull().default([]),
    grantTypes: text().array().notNull(),
    /** Seconds; none means the settings'. */
    accessTokenLifespan: integer(),
    refreshTokenLifespan: integer(),
    backchannelLogoutUri: text(),
    enabled: boolean().notNull().default(true),
    createdAt: now().notNull().defaultNow(),
    updatedAt: now().notNull().defaultNow(),
  },
  (t) => [index('oidc_clients_application').on(t.applicationId)],
)

/** What the provider must keep: sessions, grants, tokens. Their ids stand here only as digests. */
export const oidcRecords = pgTable(
  'oidc_records',
  {
    idHash: text().primaryKey(),
    model: text().notNull(),
    /** Sealed JSON. */
    payload: text().notNull(),
    /** A session's lasting name, by which tokens find it. */
    uid: text(),
    grantId: text(),
    sessionUid: text(),
    consumedAt: now(),
    expiresAt: now().notNull(),
  },
  (t) => [
    index('oidc_records_uid').on(t.uid),
    index('oidc_records_grant').on(t.grantId),
    index('oidc_records_session').on(t.sessionUid),
    index('oidc_records_expires').on(t.expiresAt),
  ],
)

/** Signing keys: published before they sign, and for as long as something that they signed is valid. */
export const oidcKeys = pgTable('oidc_keys', {
  id: uuid().primaryKey(),
  state: oidcKeyState().notNull(),
  /** Private JWK, sealed under the id. */
  jwk: text().notNull(),
  createdAt: now().notNull(),
  activatedAt: now(),
  retiredAt: now(),
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
    createdAt: now().notNull().defaultNow(),
    finishedAt: now(),
  },
  (t) => [index('oidc_logouts_created').on(t.createdAt)],
)
