import { emblems } from '@/lib/base/pictures/emblems'

/** The shipped styles and emblems that a domain may have (docs/rules/domains.md#styles). */
export const styleCodes = ['default', 'partners'] as const
export const imageCodes = Object.keys(emblems) as [keyof typeof emblems, ...(keyof typeof emblems)[]]
