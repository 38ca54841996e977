import { marks } from '@/lib/base/pictures/marks'

/** The shipped styles and marks that a domain may have (docs/rules/domains.md#styles). */
export const styleCodes = ['default', 'partners'] as const
export const imageCodes = Object.keys(marks) as [keyof typeof marks, ...(keyof typeof marks)[]]
