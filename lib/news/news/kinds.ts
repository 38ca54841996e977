/** What becomes of news: written, told once, taken back. */
export const newsStatuses = ['draft', 'published', 'withdrawn'] as const

/** Whom news may concern (docs/rules/profile.md#whom-news-concern). */
export const audiences = ['all', 'role', 'contractor', 'organization', 'domain'] as const
export type Audience = (typeof audiences)[number]

/** The area whose objects an audience is one of; only who may read them may choose one. */
export const audienceAreas = {
  role: 'roles',
  contractor: 'contractors',
  organization: 'organizations',
  domain: 'domains',
} as const satisfies Record<Exclude<Audience, 'all'>, string>
