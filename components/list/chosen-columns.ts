/** A column that a reader may show or hide. */
export type Choosable = {
  /** Its name in the cookie that keeps the choice. */
  name: string
  label: string
  /** Whether it is shown now. */
  shown: boolean
}

/** Whether a column is shown: by the kept choice, else by its own default. A column without a name always is. */
export const isShown = ({ name, hidden }: { name?: string; hidden?: true }, kept: string | undefined): boolean =>
  name === undefined || (kept === undefined ? !hidden : kept.split('.').includes(name))

/** The choice as it is kept: the names of the shown columns. */
export const keptColumns = (columns: readonly Choosable[]): string =>
  columns
    .filter(({ shown }) => shown)
    .map(({ name }) => name)
    .join('.')
