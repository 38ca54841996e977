import type { Messages } from 'next-intl'
import { type TextLocale, textLocales } from './choose-locale'
import { files } from './message-files.generated'
import { type OwnTexts, ownTexts } from './own-texts'
import { messageSource } from './parsed-messages'
import { typographicMessages } from './typography'

/** The name of a file of texts. Most files have a namespace of that name. */
export type TextFile = keyof (typeof files)['ru']

type Words = Record<string, string>
/** The errors and snackbars that a file adds to those that all pages share. */
type SharedTexts = { errors?: Words; snackbar?: Words }
type File = Record<string, object> & SharedTexts & { shell?: { screens: Words }; history?: { entities: Words } }
/** The texts of all files. `added` has errors and snackbars by file: a page gets them with the texts of that file. */
type Loaded = Record<string, object> & SharedTexts & { added: Record<string, SharedTexts> }

type FileTexts = readonly (readonly [string, File])[]
const fileTextsByLocale = new Map<TextLocale, Promise<FileTexts>>()
const messagesByLocale = new Map<TextLocale, Promise<Messages>>()
const messagesWithOwnTexts = new WeakMap<OwnTexts, Promise<Messages>>()

export const isTextLocale = (locale: string): locale is TextLocale =>
  (textLocales as readonly string[]).includes(locale)

/**
 * Joins the files: their namespaces, and the names of their screens and entities. Errors and snackbars stay by file.
 */
function gather(texts: FileTexts): Loaded {
  const gathered: Loaded = { added: {} }
  const screens: Words = {}
  const entities: Words = {}
  for (const [name, file] of texts) {
    if (file[name]) gathered[name] = file[name]
    Object.assign(screens, file.shell?.screens)
    Object.assign(entities, file.history?.entities)
    if (name === 'errors' || name === 'snackbar') continue
    const { errors, snackbar } = file
    if (errors || snackbar) gathered.added[name] = { errors, snackbar }
  }
  return { ...gathered, shell: { ...gathered.shell, screens }, history: { ...gathered.history, entities } }
}

// a no-break space isn't in the GSM alphabet, so an SMS with one would cost twice as much
const withTypography = (file: string, text: unknown) => (file === 'sms' ? text : typographicMessages(text))

function readFiles(locale: TextLocale): Promise<FileTexts> {
  const cachedTexts = fileTextsByLocale.get(locale)
  if (cachedTexts) return cachedTexts
  const texts = Object.entries(files[locale]).map(async ([name, file]) => {
    const { default: text } = await file()
    return [name, text as unknown as File] as const
  })
  const loadedTexts = Promise.all(texts)
  fileTextsByLocale.set(locale, loadedTexts)
  return loadedTexts
}

const load = async (locale: TextLocale) =>
  gather(
    (await readFiles(locale)).map(([name, file]) => [name, withTypography(name, file) as File]),
  ) as unknown as Messages

const localeOfFiles = (locale: string): TextLocale => (isTextLocale(locale) ? locale : textLocales[0])

/** Returns the shipped texts of a locale, or of the default one if it has none. Each process reads them once. */
export function shippedMessages(locale: string): Promise<Messages> {
  const textLocale = localeOfFiles(locale)
  const messages = messagesByLocale.get(textLocale) ?? load(textLocale)
  messagesByLocale.set(textLocale, messages)
  return messages
}

const isText = (node: unknown) => typeof node === 'string' || Array.isArray(node)

/** Calls `visit` with the key of each text of a file, and returns the file with the results in place of the texts. */
function eachText(tree: object, visit: (key: string, text: unknown) => unknown, path = ''): object {
  const entries = Object.entries(tree).map(([name, node]) => {
    const key = path ? `${path}.${name}` : name
    return [name, isText(node) ? visit(key, node) : eachText(node, visit, key)]
  })
  return Object.fromEntries(entries)
}

const sourcesByLocale = new Map<TextLocale, Promise<ReadonlyMap<string, string>>>()

/** Returns the sources of a locale's shipped texts by key, or those of the default locale if it has none. */
export function messageSources(locale: string): Promise<ReadonlyMap<string, string>> {
  const textLocale = localeOfFiles(locale)
  const sources = sourcesByLocale.get(textLocale) ?? readSources(textLocale)
  sourcesByLocale.set(textLocale, sources)
  return sources
}

async function readSources(locale: TextLocale) {
  const sources = new Map<string, string>()
  for (const [, file] of await readFiles(locale))
    eachText(file, (key, text) => {
      sources.set(key, messageSource(text))
      return text
    })
  return sources
}

/**
 * Returns a function that replaces texts of these trees by own ones. The build parses messages, and pages of a build
 * can't parse any, so own texts are parsed here if the texts of the trees are. Other processes parse texts as they need
 * them.
 */
async function textReplacer(trees: readonly object[], own: OwnTexts) {
  let parsed = false
  for (const tree of trees)
    eachText(tree, (_, text) => {
      parsed ||= Array.isArray(text)
      return text
    })
  if (!parsed) return (key: string, text: unknown) => own.get(key) ?? text
  const { default: compile } = await import('icu-minify/compile')
  const compiled = new Map<string, unknown>()
  for (const [key, text] of own) {
    // lets the process answer other requests
    if (compiled.size % 20 === 19) await new Promise((resolve) => setImmediate(resolve))
    compiled.set(key, compile(text))
  }
  return (key: string, text: unknown) => compiled.get(key) ?? text
}

/** Returns all texts, with own ones in place of those of mails or SMS, by key (`mail.invitation.subject`). */
export async function withMessageTexts(messages: Messages, name: 'mail' | 'sms', own: OwnTexts): Promise<Messages> {
  if (own.size === 0) return messages
  const tree = (messages as unknown as Record<string, object>)[name] ?? {}
  const replaceText = await textReplacer([tree], own)
  const replaced = eachText(
    tree,
    (key, text) => (own.has(key) ? withTypography(name, replaceText(key, text)) : text),
    name,
  )
  return { ...messages, [name]: replaced } as unknown as Messages
}

async function overlay(locale: string, own: OwnTexts): Promise<Messages> {
  const texts = await readFiles(localeOfFiles(locale))
  const replaceText = await textReplacer(
    texts.map(([, file]) => file),
    own,
  )
  return gather(
    texts.map(([name, file]) => [name, withTypography(name, eachText(file, replaceText)) as File]),
  ) as unknown as Messages
}

/**
 * Returns all texts of a locale: for each text the own one, which administrators wrote, else the shipped one of the
 * locale, else that of the default locale (docs/rules/texts-and-look.md#own-texts).
 */
export async function loadMessages(locale: string): Promise<Messages> {
  const textsOfLocale = await ownTexts(locale)
  if (textsOfLocale.size === 0) return shippedMessages(locale)
  const overlaid = messagesWithOwnTexts.get(textsOfLocale) ?? overlay(locale, textsOfLocale)
  messagesWithOwnTexts.set(textsOfLocale, overlaid)
  return overlaid
}

/** Returns the locale of a page's words and numbers: this one if it has texts, else the default one. */
export const wordLocale = async (locale: string): Promise<string> =>
  isTextLocale(locale) || (await ownTexts(locale)).size > 0 ? locale : textLocales[0]

/**
 * Texts that are sent to a browser. The type doesn't name them, because comparing it with the type of all texts would
 * take the compiler a second for each page; tests/unit/project/page-texts.test.ts checks what a page sends.
 */
export type PickedMessages = Record<string, never>

/**
 * Returns the namespaces that client components of a page need, by the names of their files, so that the page has no
 * others, with the errors and snackbars that those files add. `errors` and `snackbar` are those that every page may
 * show.
 */
export function pickMessages(messages: Messages, names: readonly TextFile[]): PickedMessages {
  const { added, ...namespaces } = messages as unknown as Loaded
  const picked: Loaded = { added: {} }
  for (const name of names) {
    if (name === 'errors' || name === 'snackbar') addShared(picked, { [name]: namespaces[name] as Words })
    else if (namespaces[name]) picked[name] = namespaces[name]
    addShared(picked, added[name])
  }
  const { added: _, ...texts } = picked
  return texts as unknown as PickedMessages
}

/** Adds errors and snackbars to the existing ones. */
function addShared(texts: SharedTexts, { errors, snackbar }: SharedTexts = {}) {
  if (errors) texts.errors = { ...texts.errors, ...errors }
  if (snackbar) texts.snackbar = { ...texts.snackbar, ...snackbar }
}
