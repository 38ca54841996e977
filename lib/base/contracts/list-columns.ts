import { z } from 'zod'

/** By the name of a column: whether a person shows it. A column that isn't named here has its own default. */
export const ColumnChoice = z.record(z.string().regex(/^[a-z][a-zA-Z]{0,39}$/, 'errorFormat'), z.boolean())
export type ColumnChoice = Readonly<z.output<typeof ColumnChoice>>

/** What a person has chosen of the columns of lists, by the name of a list's screen. */
export const ListColumns = z.record(z.string().regex(/^[A-Z][a-zA-Z]{0,63}$/, 'errorFormat'), ColumnChoice)
export type ListColumns = Readonly<z.output<typeof ListColumns>>

const isChoice = ([, shown]: [string, unknown]) => typeof shown === 'boolean'

/** The choice as it is stored: what another version may have added there is left out. */
export const StoredColumns = z
  .record(z.string(), z.record(z.string(), z.unknown()).catch({}))
  .catch({})
  .transform(
    (lists): ListColumns =>
      Object.fromEntries(
        Object.entries(lists).map(([list, columns]) => [
          list,
          Object.fromEntries(Object.entries(columns).filter(isChoice)) as ColumnChoice,
        ]),
      ),
  )

/** Up to how many columns of one list a choice names. */
export const columnsAtMost = 60
