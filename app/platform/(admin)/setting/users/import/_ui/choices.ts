import type { ImportColumns } from '@/lib/entry/user-import/contract'
import { type ImportKey, type ImportMode, importKeys } from '@/lib/entry/user-import/offered'

/** What the person has chosen. */
export type Choices = { targets: (string | null)[]; by: ImportKey; mode: ImportMode; sendLinks: boolean }

/** Returns the choices of the last import, or what the columns suggest. */
export function firstChoices({ columns, kept }: ImportColumns): Choices {
  const targets = columns.map(({ target }) => target)
  const suggested = importKeys.find((key) => targets.includes(key === 'externalId' ? key : `field.${key}`)) ?? 'login'
  return { targets, by: kept?.by ?? suggested, mode: kept?.mode ?? 'both', sendLinks: kept?.sendLinks ?? false }
}

/** Returns the body of the calls. */
export const bodyOf = (file: File, { targets, by, mode, sendLinks }: Choices) => ({
  file,
  columns: JSON.stringify(targets),
  by,
  mode,
  sendLinks: sendLinks ? ('true' as const) : ('false' as const),
})

/** The buttons of a step. On a phone they share its width. */
export const wizardButtons = 'flex flex-wrap justify-end gap-2 @max-[28rem]:*:flex-1'
