import { z } from 'zod'

/** By the name of a column: whether a person shows it. Other columns have their default. */
export const ColumnChoice = z.record(z.string().regex(/^[a-z][a-zA-Z]{0,39}$/, 'errorFormat'), z.boolean())
export type ColumnChoice = Readonly<z.output<typeof ColumnChoice>>

/** The columns that a person has chosen, by the name of the list's screen. */
export const ListColumns = z.record(z.string().regex(/^[A-Z][a-zA-Z]{0,63}$/, 'errorFormat'), ColumnChoice)
export type ListColumns = Readonly<z.output<typeof ListColumns>>

const isChoice = ([, isShown]: [string, unknown]) => typeof isShown === 'boolean'

/** The stored choice, without what another version may have added to it. */
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

/** The most columns of one list that a choice may have. */
export const maxColumns = 60
