import type { ImportColumns } from '@/lib/account-administration/user-import/contract'
import type { DayOrder, ImportKey, ImportMode } from '@/lib/account-administration/user-import/offered'
import type { TableOptions } from '@/lib/base/tables/rows'

/** The person's choices. */
export type Choices = {
  targets: (string | null)[]
  /** Which part comes first in the dates of a column, if the person has chosen it. */
  dayOrders: (DayOrder | null)[]
  by: ImportKey
  mode: ImportMode
  sendLinks: boolean
}

/** A file, and how it is read if its own format data are misleading. */
export type ReadFile = { file: File; wishes: TableOptions }

/** Returns the first choices for a file. */
export const firstChoices = ({ columns, choices }: ImportColumns): Choices => ({
  targets: columns.map(({ target }) => target),
  dayOrders: columns.map(() => null),
  ...choices,
})

/** Returns the body of the calls. */
export const bodyOf = ({ file, wishes }: ReadFile, { targets, dayOrders, by, mode, sendLinks }: Choices) => ({
  file,
  ...wishes,
  columns: JSON.stringify(targets),
  dayOrders: JSON.stringify(dayOrders),
  by,
  mode,
  sendLinks: sendLinks ? ('true' as const) : ('false' as const),
})

/** The buttons of a step. On a phone they share its width. */
export const wizardButtons = 'flex flex-wrap justify-end gap-2 @max-[28rem]:*:flex-1'
