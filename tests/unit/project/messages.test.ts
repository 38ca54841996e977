import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { loadMessages, pickMessages } from '@/lib/base/i18n/messages'
import { typographicMessages } from '@/lib/base/i18n/typography'
import { contracts } from '@/lib/wiring/contracts'
import { allShared } from '../../factories/shared-texts'

type Tree = { [key: string]: Tree | string }

const read = (locale: string, file: string): Tree =>
  JSON.parse(readFileSync(new URL(`../../../messages/${locale}/${file}`, import.meta.url), 'utf8'))
const filesOf = (locale: string) =>
  readdirSync(new URL(`../../../messages/${locale}/`, import.meta.url)).filter((name) => name.endsWith('.json'))

/** Every text by its dotted key. */
function flat(tree: Tree, prefix = ''): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [key, value] of Object.entries(tree))
    if (typeof value === 'string') texts.set(`${prefix}${key}`, value)
    else for (const [inner, text] of flat(value, `${prefix}${key}.`)) texts.set(inner, text)
  return texts
}

type Branches = Record<string, string>

/**
 * Returns what an ICU message needs: arguments with their types, branches of selects, tags; its numbers in their order;
 * and the texts of its plurals by category.
 */
function parse(message: string) {
  const asks = new Set<string>()
  const numbers: string[] = []
  const plurals: Branches[] = []
  let at = 0
  const fail = (what: string): never => {
    throw new Error(`${what} at ${at} in: ${message}`)
  }
  const word = () => {
    const [word = ''] = /^\s*[^\s,{}<>]*/.exec(message.slice(at)) ?? []
    at += word.length
    return word.trim()
  }
  const space = () => {
    while (/\s/.test(message[at] ?? '')) at++
  }
  const argument = () => {
    at++
    const name = word() || fail('no name')
    space()
    if (message[at] === '}') {
      at++
      asks.add(`{${name}}`)
      return
    }
    if (message[at] !== ',') fail('no comma')
    at++
    const kind = word()
    space()
    const style = message[at] === ','
    if (style) at++
    if (kind === 'plural' || kind === 'select' || kind === 'selectordinal') {
      const branches: Branches = {}
      for (space(); message[at] !== '}'; space()) {
        const branch = word() || fail('no branch')
        space()
        if (message[at] !== '{') fail('no branch text')
        const from = ++at
        text('}')
        branches[branch] = message.slice(from, at)
        at++
      }
      at++
      if (kind === 'select') asks.add(`{${name}, select, ${Object.keys(branches).sort().join(' ')}}`)
      else {
        asks.add(`{${name}, ${kind}}`)
        plurals.push(Object.fromEntries(Object.entries(branches).filter(([branch]) => !branch.startsWith('='))))
      }
      return
    }
    const end = message.indexOf('}', at)
    if (end < 0) fail('no end')
    const written = style ? message.slice(at, end).trim() : ''
    // messages that are parsed at build support skeletons, but no named styles
    if (written && !written.startsWith('::')) fail(`a style by name (${written})`)
    at = end + 1
    asks.add(`{${name}, ${kind}}`)
    numbers.push(name)
  }
  const text = (until?: string) => {
    while (at < message.length && message[at] !== until) {
      if (message[at] === "'") fail('an apostrophe, which quotes: write ’')
      if (message[at] === '}') fail('a stray brace')
      if (message[at] === '{') argument()
      else if (message[at] === '<') {
        const [tag = '', name = ''] = /^<\/?(\w+)>/.exec(message.slice(at)) ?? []
        if (!tag) fail('a stray <')
        asks.add(`<${name}>`)
        at += tag.length
      } else at++
    }
    if (until && message[at] !== until) fail(`no ${until}`)
  }
  text()
  return { asks: [...asks].sort(), numbers, plurals }
}

/** The words that follow the number in the text of a plural. */
const counted = (branch = '') => /#\s+([\p{L}\s-]+)/u.exec(branch)?.[1]?.trim().split(/\s+/) ?? []

/**
 * Returns the counted noun of a Russian plural, in each category; undefined if its number stands alone or beside an
 * adjective. The adjectives before the noun are known by their ending after 5.
 */
function nounOf({ one, few, many, other }: Branches) {
  const words = [one, few, many, other].map(counted)
  const at = words[2]?.findIndex((word) => !/[иы]х$/.test(word)) ?? -1
  const forms = words.map((each) => each[at])
  return forms.every((form) => form !== undefined) ? (forms as [string, string, string, string]) : undefined
}

const reference = textLocales[0]

describe('messages', () => {
  it.each(textLocales)('has the same files in %s, all of them loaded', async (locale) => {
    expect(filesOf(locale)).toEqual(filesOf(reference))
    const namespaces = filesOf(locale).map((file) => file.replace('.json', ''))
    const loaded = await loadMessages(locale)
    for (const namespace of namespaces) {
      const { [namespace]: ownBlock, errors, snackbar, shell, history, ...more } = read(locale, `${namespace}.json`)
      expect(Object.keys(more), namespace).toEqual([])
      if (ownBlock) expect(loaded, namespace).toHaveProperty(namespace)
      // texts that a slice adds to those that pages share
      if (namespace !== 'shell') expect(Object.keys(shell ?? {}), namespace).toEqual(shell ? ['screens'] : [])
      if (namespace !== 'history') expect(Object.keys(history ?? {}), namespace).toEqual(history ? ['entities'] : [])
      for (const [name, label] of Object.entries({ ...((shell as Tree)?.screens as Tree) }))
        expect((loaded.shell.screens as Tree)[name], name).toBe(typographicMessages(label))
    }
    for (const block of ['errors', 'snackbar'] as const) expect(() => allShared(locale, block)).not.toThrow()
  })

  it('sends a page the errors and notices of the requested files, and no others', async () => {
    const messages = await loadMessages('ru')
    expect(pickMessages(messages, ['snackbar', 'errors'])).not.toHaveProperty('errors.deviceTypeUsed')
    for (const names of [
      ['device-types', 'errors', 'snackbar'],
      ['snackbar', 'errors', 'device-types'],
    ] as const) {
      const { errors, snackbar } = pickMessages(messages, names)
      expect(errors).toMatchObject({ errorEmpty: expect.any(String), deviceTypeUsed: expect.any(String) })
      expect(snackbar).toMatchObject({ logout: expect.any(String), devicesTypesCreate: expect.any(String) })
      expect(snackbar).not.toHaveProperty('networkAliasCreate')
    }
    expect(Object.keys(messages.errors)).not.toContain('deviceTypeUsed')
  })

  it('has a text in every language for every code that a call may answer', () => {
    for (const locale of textLocales) {
      const texts = allShared(locale, 'errors')
      for (const { name, errors = {} } of contracts)
        for (const code of Object.keys(errors)) expect(texts, `${locale} ${name}`).toHaveProperty([code])
    }
  })

  const cases = textLocales.flatMap((locale) => filesOf(reference).map((file) => [locale, file] as const))

  it.each(cases)('has the same in %s/%s: keys, arguments, branches, tags, the order of numbers', (locale, file) => {
    const [expected, actual] = [flat(read(reference, file)), flat(read(locale, file))]
    expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort())
    for (const [key, text] of actual) {
      expect(text.trim(), key).toBe(text)
      expect(text, key).not.toBe('')
      const [{ plurals: _, ...ownParts }, { plurals: __, ...source }] = [parse(text), parse(expected.get(key) ?? '')]
      expect({ key, ...ownParts }).toEqual({ key, ...source })
    }
  })

  it.each(cases)('uses the plural rules of %s in %s', (locale, file) => {
    const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted()
    for (const [key, text] of flat(read(locale, file)))
      for (const branches of parse(text).plurals)
        expect({ key, branches: Object.keys(branches).sort() }).toEqual({ key, branches: needed })
  })

  const pluralsIn = (locale: string) =>
    filesOf(reference).flatMap((file) =>
      [...flat(read(locale, file), `${file} `)].flatMap(([key, text]) =>
        parse(text).plurals.map((branches) => ({ key, branches })),
      ),
    )

  it('counts one and several differently in English', () => {
    // a number after which no noun follows
    const alone = /#(?:$| of | unread$)/
    const same = pluralsIn('en').filter(({ branches: { one = '', other } }) => one === other && !alone.test(one))
    expect(same).toEqual([])
  })

  it('counts in the cases of Russian, and each noun in the same forms everywhere', () => {
    const nouns = pluralsIn('ru').flatMap(({ key, branches }) => {
      const forms = nounOf(branches)
      return forms ? [{ key, forms }] : []
    })
    expect(nouns.length).toBeGreaterThan(150)
    const isOblique = (form: string) => /(?:а|я)(?:м|х|ми)$/.test(form)
    // 1 роль, 2 роли, 5 ролей, 1,5 роли; after a word that takes the genitive 1 роли, 2 and 5 ролей
    const wrong = nouns.filter(({ forms: [one, few, many, other] }) =>
      few === many ? one !== other && !isOblique(many) : one === few || few !== other,
    )
    expect(wrong).toEqual([])
    const formsOfNoun = new Map(nouns.map(({ forms: [one, few, many] }) => [one, `${few} ${many}`]))
    const others = nouns.filter(
      ({ forms: [one, few, many] }) => !isOblique(many) && formsOfNoun.get(one) !== `${few} ${many}`,
    )
    expect(others).toEqual([])
  })
})
