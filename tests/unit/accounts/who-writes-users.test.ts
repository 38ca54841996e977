import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesOf(`${folder}/${entry.name}`)
      : /\.tsx?$/.test(entry.name)
        ? [`${folder}/${entry.name}`]
        : [],
  )

const writes = ['insert', 'update', 'delete']
/** The functions of db/rows.ts return statements that write a table. */
const rowMakers = ['rowsById', 'insertUnlessTaken']
const tables = ['users', 'userIdentifiers']
const rawWrite =
  /\b(insert\s+into|update|delete\s+from|merge\s+into|truncate(\s+table)?)\s+(only\s+)?("?public"?\.)?"?(users|user_identifiers)\b/i

/** Returns what in this source writes users or their identifiers, by the query builder or as SQL. */
function writesOf(source: string): string[] {
  // most files contain neither name and need no parsing
  if (!/users|user_?identifiers/i.test(source) || !/insert|update|delete|merge|truncate|rowsById/i.test(source))
    return []
  const file = ts.createSourceFile('x.tsx', source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX)
  // the local names of the imported tables
  const tableNames = new Set(tables)
  const writing: string[] = []
  const isTable = (node: ts.Node | undefined): boolean =>
    node !== undefined &&
    (ts.isIdentifier(node)
      ? tableNames.has(node.text)
      : ts.isPropertyAccessExpression(node)
        ? tables.includes(node.name.text)
        : false)
  const look = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node) && node.propertyName && tables.includes(node.propertyName.text))
      tableNames.add(node.name.text)
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isTable(node.initializer))
      tableNames.add(node.name.text)
    if (
      ts.isCallExpression(node) &&
      (ts.isPropertyAccessExpression(node.expression)
        ? writes.includes(node.expression.name.text)
        : ts.isIdentifier(node.expression) && rowMakers.includes(node.expression.text)) &&
      isTable(node.arguments[0])
    )
      writing.push(node.getText(file).slice(0, 80))
    if (ts.isStringLiteralLike(node) && rawWrite.test(node.text)) writing.push(node.text)
    if (ts.isTemplateExpression(node)) {
      const text = node.templateSpans.reduce(
        (sofar, { expression, literal }) => `${sofar}${isTable(expression) ? 'users' : 'x'}${literal.text}`,
        node.head.text,
      )
      if (rawWrite.test(text)) writing.push(text)
    }
    ts.forEachChild(node, look)
  }
  look(file)
  return writing
}

describe('code that writes users', () => {
  test.each([
    ['a builder', 'tx.insert(users).values(x)'],
    ['one on several lines', 'await tx\n  .update(users)\n  .set(x)'],
    ['a table of the whole schema', 'db().delete(schema.users)'],
    ['another name', "import { users as people } from 'x'\ntx.update(people)"],
    ['a variable', 'const table = users\ntx.update(table)'],
    ['identifiers', 'tx.insert(userIdentifiers)'],
    ['statements by id', "rowsById(users, 'update')"],
    ['an insert by a unique code', 'insertUnlessTaken(users)'],
    ['SQL', "client.query('update users set x = 1')"],
    ['SQL with a table', `sql\`delete from \${users} where x\``],
    ['SQL in a part of a statement', 'sql`with a as (insert into public."users" (x) values (1)) select`'],
  ])('is found: %s', (_, source) => expect(writesOf(source)).toHaveLength(1))

  test.each([
    'tx.select().from(users)',
    'tx.insert(userRoles).values({ userId: users.id })',
    `sql\`update \${sessions} set x = (select 1 from \${users})\``,
    "'select for update of users_x'",
  ])('isn’t found wrongly: %s', (source) => expect(writesOf(source)).toEqual([]))

  test('is only in lib/accounts/users', () => {
    const all = ['app', 'bin', 'components', 'db', 'lib'].flatMap(filesOf)
    expect(all.length).toBeGreaterThan(400)
    const writers = all.filter((file) => writesOf(readFileSync(join(root, file), 'utf8')).length > 0)
    expect(writers.sort()).toEqual(['lib/accounts/users/identifiers.ts', 'lib/accounts/users/queries.ts'])
  })
})
