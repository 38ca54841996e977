/** The states of news. */
export const newsStatuses = ['draft', 'published', 'withdrawn'] as const

/** The audiences of news (docs/rules/profile.md#whom-news-concern). */
export const audiences = ['all', 'role', 'contractor', 'organization', 'domain'] as const
export type Audience = (typeof audiences)[number]

/** The area of each audience's objects; only a person who may read the area may choose the audience. */
export const audienceAreas = {
  role: 'roles',
  contractor: 'contractors',
  organization: 'organizations',
  domain: 'domains',
} as const satisfies Record<Exclude<Audience, 'all'>, string>
