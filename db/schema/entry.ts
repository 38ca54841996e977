import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'
import { contractors, organizations, providers, roles, users } from './people'
import { domains } from './platform'

export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    domainId: uuid().references(() => domains.id, { onDelete: 'set null' }),
    /** The identity provider of the sign-in, the account there, and the provider's own session. */
    providerId: uuid().references(() => providers.id, { onDelete: 'set null' }),
    providerSubject: text(),
    providerSid: text(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
    lastAccessAt: moment().notNull().defaultNow(),
    /** The last write of the row itself; a mere request of the session doesn't write it. */
    changedAt: moment('updated_at').notNull().defaultNow(),
    endedAt: moment(),
    endReason: text(),
    /** The OpenID Provider's session of this browser, once an application has used it. */
    oidcUid: text(),
    /** The name of the key that encrypted its cookie; null for a cookie of an earlier version. */
    sealedBy: text(),
    ip: text().notNull(),
    userAgent: text().notNull().default(''),
    browser: text().notNull().default(''),
    system: text().notNull().default(''),
    deviceType: text().notNull(),
    /** Digest of the device cookie, which distinguishes a known device from a new one. */
    deviceHash: text(),
    displaySize: text(),
    displayWindowSize: text(),
    displayZoom: text(),
    /** Why an ended session is still stored, as housekeeping determined: docs/rules/retention.md#sessions. */
    keptAs: text().$type<'whole' | 'bare'>(),
  },
  (t) => [
    index('sessions_user').on(t.userId, t.endedAt),
    index('sessions_device').on(t.userId, t.deviceHash),
    /** The open sessions by what ends them, so that housekeeping reads only those that are due. */
    index('sessions_open_expires').on(t.expiresAt, t.id).where(sql`${t.endedAt} is null`),
    index('sessions_open_access').on(t.lastAccessAt, t.id).where(sql`${t.endedAt} is null`),
    index('sessions_over').on(t.keptAs, t.endedAt).where(sql`${t.endedAt} is not null`),
    index('sessions_oidc').on(t.oidcUid),
    index('sessions_domain').on(t.domainId),
    index('sessions_provider').on(t.providerId),
    index('sessions_provider_subject').on(t.providerSubject, t.providerId).where(sql`${t.providerSubject} is not null`),
  ],
)

/**
 * A time for each account at which somebody used a session of it, or later: that of the last session's beginning, up to a
 * day before. Only triggers write it (ADR 91). Finds the few accounts that nobody has used for long.
 */
export const userVisits = pgTable(
  'user_visits',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** -infinity for an account that nobody has used. */
    visitedAt: moment().notNull().default(sql`'-infinity'`),
  },
  (t) => [index('user_visits_visited').on(t.visitedAt, t.userId)],
)

/** A sign-in attempt, valid for 15 minutes; the browser has a token that changes at each step. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    id: uuid().primaryKey().defaultRandom(),
    tokenHash: text().notNull().unique('sign_in_attempts_token'),
    /** Each step compares and raises it, so that only one of two parallel steps succeeds. */
    version: integer().notNull().default(1),
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    domainId: uuid().references(() => domains.id, { onDelete: 'set null' }),
    /** Checked by zod on load: lib/sign-in/attempts/machine.ts. */
    state: jsonb().notNull(),
    ip: text().notNull(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
    finishedAt: moment(),
  },
  (t) => [
    index('sign_in_attempts_open').on(t.expiresAt).where(sql`${t.finishedAt} is null`),
    // completed attempts are stored for the time of the setting interactionRetention
    index('sign_in_attempts_finished').on(t.finishedAt),
    index('sign_in_attempts_user').on(t.userId),
    index('sign_in_attempts_domain').on(t.domainId),
  ],
)

export const linkKind = pgEnum('link_kind', ['entry', 'recovery', 'registration', 'device'])

/** A link that was sent to a person. Its id is a random GUID, stored only as a digest. */
export const links = pgTable(
  'links',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: linkKind().notNull(),
    idHash: text().notNull().unique('links_id_hash'),
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** The receiver of a link without an account, in lower case. */
    email: text(),
    /** The data of the request for the link: names and agreements of a registration. */
    data: jsonb().$type<Record<string, unknown>>(),
    /** The mobile that was proven by a code on the way, E.164. */
    mobile: text(),
    mobileVerifiedAt: moment(),
    domainId: uuid().references(() => domains.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
    usedAt: moment(),
    canceledAt: moment(),
  },
  (t) => [
    index('links_user').on(t.userId, t.kind),
    index('links_email').on(t.email, t.kind),
    index('links_expires').on(t.expiresAt),
    index('links_domain').on(t.domainId),
  ],
)

/** Counts that must outlive Redis: codes by recipient, registrations by address, recovery links by account. */
export const dailyCounters = pgTable(
  'daily_counters',
  {
    kind: text().notNull(),
    /** A keyed hash of the counted subject. */
    key: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    count: integer().notNull().default(0),
    blockedUntil: moment(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.key, t.day] }), index('daily_counters_day').on(t.day)],
)

/** Wrong codes of the last 30 days: the limits of an account must outlive Redis. */
export const wrongCodes = pgTable(
  'wrong_codes',
  {
    /** The account, the account in one browser, or a keyed hash of the entered identifier without an account. */
    key: text().primaryKey(),
    /** The times of the entries; at most as many as the limits allow. */
    entries: moment().array().notNull(),
    lastAt: moment().notNull(),
  },
  (t) => [index('wrong_codes_last').on(t.lastAt)],
)

/** The authenticator apps of people (RFC 6238). */
export const authenticatorApps = pgTable('authenticator_apps', {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The key that the app has, in base32; encrypted. */
  secret: text().notNull(),
  /** The time step of the last code that was accepted: a code of this step or an earlier one is refused. */
  lastStep: integer().notNull(),
  /** The session in which it was set up; null if it was imported. No reference, because sessions are deleted. */
  sessionId: uuid(),
  /** The hash of the e-mail that was proven for it, with a permanent key; null without one. */
  emailHash: text(),
  createdAt: createdAt(),
})

/** Codes that replace a code of an authenticator app, once each; a used one is deleted. They end with the app. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid()
      .notNull()
      .references(() => authenticatorApps.userId, { onDelete: 'cascade' }),
    /** With a permanent key. */
    hash: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
)

/** The passkeys of people (Web Authentication, level 3). */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid().primaryKey().default(sql`uuidv7()`),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** In Base64URL. */
    credentialId: text().notNull().unique('passkeys_credential'),
    /** As COSE, in Base64URL. */
    publicKey: text().notNull(),
    /** How often the authenticator has signed; 0 if it doesn't count. */
    signCount: bigint({ mode: 'number' }).notNull(),
    /** How browsers reach the authenticator. */
    transports: text().array().notNull(),
    /** The model of the authenticator, as it says itself. */
    aaguid: uuid().notNull(),
    /** Whether the authenticator may copy it to other devices, and whether it has. */
    isSynced: boolean().notNull(),
    isBackedUp: boolean().notNull(),
    name: text().notNull(),
    /** The session in which it was set up. No reference, because sessions are deleted. */
    sessionId: uuid().notNull(),
    /** The hash of the e-mail that was proven for it, with a permanent key; null without one. */
    emailHash: text(),
    createdAt: createdAt(),
    usedAt: moment(),
  },
  (t) => [index('passkeys_user').on(t.userId)],
)

/** Wrong passwords in a row: they close the password flow, which must outlive Redis. */
export const passwordFailures = pgTable(
  'password_failures',
  {
    /** As in `wrong_codes`. */
    key: text().primaryKey(),
    /** No foreign key: its check would take longer for an account than for an unknown identifier. */
    userId: uuid(),
    count: integer().notNull(),
    lastAt: moment().notNull(),
  },
  (t) => [
    index('password_failures_user').on(t.userId),
    index('password_failures_nobody').on(t.lastAt).where(sql`${t.userId} is null`),
  ],
)

export const invitationStatus = pgEnum('invitation_status', [
  'active',
  'deactivated',
  'refusal',
  'success',
  'autoSuccess',
  'deleted',
])

/** An invitation to a contractor. The GUID of its link is stored only as a digest; resending creates a new one. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid().primaryKey().defaultRandom(),
    status: invitationStatus().notNull().default('active'),
    idHash: text().notNull().unique('invitations_id_hash'),
    /** In lower case. */
    email: text().notNull(),
    contractorId: uuid()
      .notNull()
      .references(() => contractors.id, { onDelete: 'cascade' }),
    inviterId: uuid().references(() => users.id, { onDelete: 'set null' }),
    /** The account that accepted it. */
    userId: uuid().references(() => users.id, { onDelete: 'set null' }),
    domainId: uuid().references(() => domains.id, { onDelete: 'set null' }),
    locale: text(),
    /** The mobile that was proven by a code on the way, E.164. */
    mobile: text(),
    mobileVerifiedAt: moment(),
    createdAt: createdAt(),
    /** When the link was sent last. */
    sentAt: moment().notNull().defaultNow(),
    expiresAt: moment().notNull(),
    /** When it was accepted, declined or revoked. */
    finishedAt: moment(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('invitations_email').on(t.email, t.status),
    /** The few open ones, however many invitations there were before. */
    index('invitations_open').on(t.expiresAt).where(sql`${t.status} = 'active'`),
    index('invitations_over').on(sql`coalesce(${t.finishedAt}, ${t.expiresAt})`).where(sql`${t.status} <> 'active'`),
    index('invitations_contractor').on(t.contractorId, t.createdAt.desc()),
    index('invitations_created_at').on(t.createdAt, t.id),
    index('invitations_expires_at').on(t.expiresAt, t.id),
    index('invitations_search').using('gin', sql`search_form(${t.email}) gin_trgm_ops`),
    index('invitations_inviter').on(t.inviterId),
    index('invitations_user').on(t.userId),
    index('invitations_domain').on(t.domainId),
  ],
)

/** The contractor roles that accepting gives. */
export const invitationRoles = pgTable(
  'invitation_roles',
  {
    invitationId: uuid()
      .notNull()
      .references(() => invitations.id, { onDelete: 'cascade' }),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    roleId: uuid()
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.invitationId, t.organizationId, t.roleId] }),
    index('invitation_roles_organization').on(t.organizationId),
    index('invitation_roles_role').on(t.roleId),
  ],
)

/** Hashes of an account's previous passwords and of the present one, so that recent ones are refused. */
export const passwordHistory = pgTable(
  'password_history',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    passwordHash: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('password_history_user').on(t.userId, t.createdAt.desc())],
)
