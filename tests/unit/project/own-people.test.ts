import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { demoAccounts } from '@/db/seed/demo/accounts'

/**
 * Browser tests of one platform run in any order, and some of them at the same time. So each file has its own people, and
 * what everybody shares is changed only in files that show that nothing is left of it.
 */

const logins: string[] = demoAccounts.map(({ login }) => login)
/** These are also kinds of own people, codes of roles or of a schema. */
const ambiguous = ['auditor', 'support', 'manager', 'blocked', 'two-factors']
const inText = [
  // the help of the demo's domains has the address support@polaris.example
  new RegExp(`(?<![\\w.-])(${logins.filter((login) => login !== 'support').join('|')})@(polaris|$)`),
  new RegExp(`(login = '|search\\]=)(${logins.join('|')})(?![\\w.-])`),
]
const shared = [
  'settings',
  'locales',
  'licenses',
  'localeTexts',
  'accessListEntries',
  'authenticationSchemas',
  'notifyMethods',
]
const suspect = new RegExp(`\\b(${logins.join('|')})\\b|shell-page|\\b(insert|update|delete)\\(`)

/** Which argument of a call is a login, by the call's name. */
const loginAt: Record<string, number> = {
  signInAs: 1,
  asPerson: 1,
  accountOf: 0,
  forgetChoices: 0,
  signIn: 0,
  enterIdentifier: 0,
  fill: 0,
  pressSequentially: 0,
}
const nameOf = (node: ts.Node) =>
  ts.isIdentifier(node) ? node.text : ts.isPropertyAccessExpression(node) ? node.name.text : ''

/** Whether a string stands where the login of an account stands. */
function isLogin(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isCallExpression(parent)) {
    const at = parent.arguments.indexOf(node as ts.Expression)
    const name = nameOf(parent.expression)
    if (name === 'eq') return /\blogin$/.test(parent.arguments[0]?.getText() ?? '')
    return loginAt[name] === at
  }
  if (ts.isArrayLiteralExpression(parent) && ts.isCallExpression(parent.parent))
    return /\blogin$/.test(parent.parent.arguments[0]?.getText() ?? '')
  return (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent)) && parent.name.getText() === 'login'
}

/** Returns what in the source of this name uses the demo's accounts, or changes what all files share. */
function faultsOf(name: string, text: string): string[] {
  const isGlobal = name.endsWith('.global.spec.ts')
  // most files need no parsing
  if (!isGlobal && !suspect.test(text)) return []
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const faults: string[] = []
  let promises = false
  const look = (node: ts.Node): void => {
    // the strings of a type are no values
    if (ts.isTypeNode(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const isAccount = logins.includes(node.text) && (!ambiguous.includes(node.text) || isLogin(node))
      if (isAccount || inText.some((pattern) => pattern.test(node.text)))
        faults.push(`a demo account: ${node.getText()}`)
    }
    if (ts.isImportDeclaration(node) && /\/shell-page'$/.test(node.moduleSpecifier.getText()) && !isGlobal)
      for (const each of node.importClause?.namedBindings?.getChildren().flatMap((list) => list.getChildren()) ?? [])
        if (ts.isImportSpecifier(each) && ['store', 'reset'].includes((each.propertyName ?? each.name).getText()))
          faults.push(`it changes settings: ${each.getText()}`)
    if (ts.isCallExpression(node)) {
      const called = nameOf(node.expression)
      if (called === 'leavesNothing' && ts.isExpressionStatement(node.parent) && ts.isSourceFile(node.parent.parent))
        promises = true
      const table = node.arguments[0] && nameOf(node.arguments[0])
      if (!isGlobal && ['insert', 'update', 'delete'].includes(called) && table && shared.includes(table))
        faults.push(`it changes ${table}: ${node.getText()}`)
    }
    ts.forEachChild(node, look)
  }
  look(source)
  if (isGlobal && !promises) faults.push('it doesn’t call leavesNothing()')
  return faults
}

const exempt = [
  // whose copies own people are
  'tests/e2e/own-people.ts',
  // has what global files store settings with
  'tests/e2e/shell-page.ts',
]
const files = globSync('tests/e2e/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !exempt.includes(file))
  .sort()

describe('the files of the browser tests', () => {
  const faultsByFile: Record<string, string[]> = {}
  for (const file of files) {
    const faults = faultsOf(file, readFileSync(file, 'utf8'))
    if (faults.length > 0) faultsByFile[file] = faults
  }

  test('are found', () => expect(files.length).toBeGreaterThan(100))

  test('use their own people, and change what all share only in global files, which leave nothing', () => {
    expect(faultsByFile).toEqual({})
  })
})

describe('is found:', () => {
  const plain = 'tests/e2e/x.spec.ts'
  const account = (text: string) => [`a demo account: ${text}`]
  test.each([
    ["await signInAs(context, 'support')", account("'support'")],
    ["await asPerson(page.context(), 'auditor', 'en')", account("'auditor'")],
    ["await accountOf('manager')", account("'manager'")],
    ["await form.signIn('blocked', 'wrong')", account("'blocked'")],
    ["await form.identifier.fill('two-factors')", account("'two-factors'")],
    ["const entry = { login: 'support', password }", account("'support'")],
    ["const login = 'manager'", account("'manager'")],
    ["await db().select().from(users).where(eq(users.login, 'auditor'))", account("'auditor'")],
    ["await db().select().from(users).where(inArray(users.login, ['auditor']))", account("'auditor'")],
    ["const rows = [{ as: 'admin' }, { as: 'auditor' }]", account("'admin'")],
    ['for (const [who, at] of [["services", 1]]) {}', account('"services"')],
    ["await page.goto('/users?filter[search]=admin@')", account("'/users?filter[search]=admin@'")],
    ['await page.goto(`/users?filter[search]=auditor`)', account('`/users?filter[search]=auditor`')],
    ["await outbox('two-factors@polaris.example')", account("'two-factors@polaris.example'")],
    [
      "query(`select id from users where login = 'manager'`)",
      account("`select id from users where login = 'manager'`"),
    ],
    ["import { at, store } from './shell-page'", ['it changes settings: store']],
    ["import { reset as back } from '../shell-page'", ['it changes settings: reset as back']],
    ['await db().insert(settings).values({ id, value })', ['it changes settings: db().insert(settings)']],
    ['await tx.update(schema.locales).set({})', ['it changes locales: tx.update(schema.locales)']],
    ['await db().delete(licenses)', ['it changes licenses: db().delete(licenses)']],
  ])('%s', (text, expected) => expect(faultsOf(plain, text)).toEqual(expected))

  test('a global file that doesn’t show that it leaves nothing', () => {
    const text = "import { reset, store } from './shell-page'\nafterAll(() => db().delete(settings))"
    const global = 'tests/e2e/x.global.spec.ts'
    expect(faultsOf(global, text)).toEqual(['it doesn’t call leavesNothing()'])
    expect(faultsOf(global, `const f = () => leavesNothing()\n${text}`)).toEqual(['it doesn’t call leavesNothing()'])
    expect(faultsOf(global, `leavesNothing()\n${text}`)).toEqual([])
  })
})

test.each([
  "await asOwn(context, 'support', language)",
  "await at(page, 'auditor', '/platform/setting')",
  "const who: 'admin' | 'profile' = 'profile'",
  "await createUser({ roles: ['auditor'] })",
  "await choose((await ownPerson('manager')).email ?? '')",
  'await page.goto(`/users?filter[search]=users.administrator@polaris.example`)',
  "await expect(page.getByRole('link', { name: 'support@polaris.example' })).toBeVisible()",
  "db().select().from(schemas).where(eq(schemas.code, 'two-factors'))",
  "import { at, heading } from './shell-page'",
  'await db().delete(userSettings)',
])('is no fault: %s', (text) => expect(faultsOf('tests/e2e/x.spec.ts', text)).toEqual([]))
