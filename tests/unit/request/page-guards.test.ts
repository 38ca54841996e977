import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { screenAt, screens } from '@/lib/base/navigation/screens'

/**
 * A layout protects nothing, because a browser may request the leaf of a page alone, without its layouts. So each page
 * must protect its content and its title itself.
 */

/** The public pages, by address. */
const publicPages = [
  '/platform/404',
  '/platform/agreements',
  '/platform/forgot-password',
  '/platform/help',
  '/platform/invitation/{id}',
  '/platform/law/{id}',
  '/platform/login',
  '/platform/login/device/{id}',
  '/platform/login/password/{id}',
  '/platform/new-password/{id}',
  '/platform/no-access',
  '/platform/registration',
  '/platform/registration/{id}',
]

/** Pages that the server process requests in place of another address; nobody can open them directly. */
const drawnPages = ['/platform/provider']

const files = readdirSync('app', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.replaceAll('\\', '/'))
const addressOf = (file: string) =>
  `/${file
    .split('/')
    .slice(1, -1)
    .filter((part) => !/^\(.*\)$/.test(part))
    .map((part) => part.replace(/^\[(\w+)\]$/, '{$1}'))
    .join('/')}`
const pages = files.filter((file) => /\/page(\.dev)?\.tsx?$/.test(file))

const parse = (text: string) => ts.createSourceFile('page.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)

/** Returns the calls in a node from the outside in, each by its name and its string arguments. */
function callsIn(node: ts.Node): { name: string; texts: string[] }[] {
  const checks: { name: string; texts: string[] }[] = []
  const visit = (each: ts.Node) => {
    if (ts.isCallExpression(each))
      checks.push({
        name: each.expression.getText(),
        texts: each.arguments.filter(ts.isStringLiteralLike).map(({ text }) => text),
      })
    ts.forEachChild(each, visit)
  }
  visit(node)
  return checks
}

const isExported = (node: ts.Statement) =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** Returns the statements of the default export. */
function bodyOf(source: ts.SourceFile): readonly ts.Statement[] {
  for (const node of source.statements)
    if (
      ts.isFunctionDeclaration(node) &&
      ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
    )
      return node.body?.statements ?? []
  return []
}

/** Returns the node that exports the page's title, if there is one. */
const titleOf = (source: ts.SourceFile) =>
  source.statements.find((node) => isExported(node) && /generateMetadata/.test(node.getText().split('{')[0] ?? ''))

/** Guards that take the page's name. */
const named = ['listPageContext', 'cardPageContext', 'partPageContext']

/** Why a page at an address doesn't guard itself; null when it does. */
function faultOf(text: string, address: string): string | null {
  const source = parse(text)
  const [first, second] = bodyOf(source).map(callsIn)
  const title = titleOf(source)
  const inTitle = title ? callsIn(title) : []
  const constant = source.statements.find((node) => isExported(node) && /^export const metadata\b/.test(node.getText()))
  if (constant) return 'its title is there for everybody'
  if (address.startsWith('/platform/dev/')) {
    if (first?.[0]?.name !== 'developmentOnly') return 'it does not begin with developmentOnly()'
    return !title || inTitle[0]?.name === 'developmentOnly' ? null : 'its title does not begin with developmentOnly()'
  }
  if (drawnPages.includes(address)) {
    const begins = first?.[0]?.name === 'pageView' && second?.[0]?.name === 'notFound'
    return begins && inTitle[0]?.name === 'pageView' && inTitle[1]?.name === 'notFound'
      ? null
      : 'it shows itself to all'
  }
  const guard =
    first?.[0] && named.includes(first[0].name)
      ? first[0]
      : first?.[0]?.name === 'pageContext'
        ? second?.[0]
        : undefined
  if (!guard || ![...named, 'pageUser'].includes(guard.name)) return 'it begins with no guard'
  const screen = screenAt(address)?.name
  // one takes the page's name, the other its address
  if (guard.texts[0] !== (named.includes(guard.name) ? screen : address)) return `it guards ${guard.texts[0]}`
  if (!title) return null
  const [call, ...more] = inTitle
  // cardTitle checks access before it reads the object's name
  const guards = call?.name === 'cardTitle' ? guard.name === 'cardPageContext' : more.length === 0
  return guards && ['screenTitle', 'cardTitle'].includes(call?.name ?? '') && call?.texts[0] === screen
    ? null
    : 'its title is not screenTitle() or cardTitle() of its screen'
}

describe('every page checks access itself', () => {
  test.each(pages.filter((file) => !publicPages.includes(addressOf(file))).map((file) => [addressOf(file), file]))(
    '%s',
    (address, file) => expect(faultOf(readFileSync(file, 'utf8'), address)).toBeNull(),
  )

  test('the public pages exist, and are those of the screens', () => {
    expect(
      pages
        .map(addressOf)
        .filter((address) => publicPages.includes(address))
        .sort(),
    ).toEqual(publicPages)
    const records = screens.filter((screen) => screen.public).map(({ path }) => path)
    expect(records.sort()).toEqual(publicPages)
  })

  test('no other kind of file renders', () => {
    const kinds = new Set(['page', 'layout', 'route', 'error', 'global-error', 'not-found', 'forbidden', 'screen'])
    const others = files.filter(
      (file) => !file.includes('/_ui/') && /\.tsx?$/.test(file) && !file.includes('page-text'),
    )
    for (const file of others)
      expect(kinds, file).toContain(
        file
          .split('/')
          .at(-1)
          ?.replace(/(\.dev)?\.tsx?$/, ''),
      )
  })

  test('error pages read no stored texts', () => {
    for (const file of files.filter((each) => /\/(error|global-error|not-found|forbidden|loading)\.tsx$/.test(each)))
      expect(readFileSync(file, 'utf8'), file).not.toMatch(/\/(service|queries|client)'/)
  })

  const guarded = `export const generateMetadata = () => screenTitle('UserProfile')
export default async function Page() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/profile')
  return <p>{await secret(user)}</p>
}`
  test('a page without its check, with a late one or with another page’s is found', () => {
    const fault = (change: (text: string) => string) => faultOf(change(guarded), '/platform/profile')
    expect(fault((text) => text)).toBeNull()
    expect(fault((text) => text.replace(/ +const user.*\n/, ''))).toBe('it begins with no guard')
    expect(fault((text) => text.replace('const { ctx }', 'const t = await secret()\n  const { ctx }'))).toBe(
      'it begins with no guard',
    )
    expect(fault((text) => text.replace("'/platform/profile'", "'/platform/apps'"))).toBe('it guards /platform/apps')
    expect(fault((text) => text.replace("'UserProfile'", "'Platform'"))).toMatch(/^its title/)
    expect(fault((text) => text.replace("screenTitle('UserProfile')", "pageTitle('Secret')"))).toMatch(/^its title/)
    expect(
      fault((text) => text.replace("() => screenTitle('UserProfile')", "cardTitle('UserProfile', secret)")),
    ).toMatch(/^its title/)
    expect(fault((text) => `export const metadata = { title: 'Secret' }\n${text}`)).toMatch(/^its title/)
    expect(faultOf(guarded, '/platform/dev/x')).toBe('it does not begin with developmentOnly()')
  })
})
