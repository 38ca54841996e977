import type { ColumnChoice } from '@/lib/base/contracts/list-columns'

/** A column that a reader may show or hide. */
export type Choosable = {
  /** Its name in the person's settings. */
  name: string
  label: string
  /** Whether it is shown now. */
  shown: boolean
}

/**
 * Returns whether a column is shown: by the person's choice, else by its own default. A column without a name always
 * is.
 */
export const isShown = (
  { name, hidden }: { name?: string | undefined; hidden?: true | undefined },
  chosen: ColumnChoice,
): boolean => name === undefined || (chosen[name] ?? !hidden)
