import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { blanks, languageOrder } from '@/lib/base/i18n/local-name'

/** Columns of names by their language. */
type NameColumns = Readonly<Record<string, SQLWrapper>>

// a literal, because as a parameter each use would get its own number, and the expressions would differ
const blankLiteral = sql.raw(
  `U&'${[...blanks].map((sign) => `\\${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}'`,
)

/** `nameAmong` as an expression, to sort and search by the displayed name. */
export function nameAmongColumns(columns: NameColumns, locale: string, code?: SQLWrapper): SQL<string> {
  const filled = languageOrder(Object.keys(columns), locale).map(
    (language) => sql`case when btrim(${columns[language]}, ${blankLiteral}) <> '' then ${columns[language]} end`,
  )
  return sql`coalesce(${sql.join([...filled, code ?? sql`null::text`, sql`''`], sql`, `)})`
}

/** `localName` as an expression over a table's own columns. */
export const localNameColumn = (
  { name, nameEn, code }: { name: SQLWrapper; nameEn: SQLWrapper; code?: SQLWrapper },
  locale: string,
): SQL<string> => nameAmongColumns({ ru: name, en: nameEn }, locale, code)
