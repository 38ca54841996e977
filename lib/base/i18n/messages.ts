import type { Messages } from 'next-intl'
import { type TextLocale, textLocales } from './choose-locale'
import { files } from './message-files.generated'
import { messageSource } from './message-source'
import { type OwnTexts, ownTexts } from './own-texts'
import { typographicMessages } from './typography'

/** A file of texts by its name. Most have a namespace of that name. */
export type TextFile = keyof (typeof files)['ru']

type Words = Record<string, string>
/** What a file adds to texts that pages share. */
type Added = { errors?: Words; snackbar?: Words }
type File = Record<string, object> & Added & { shell?: { screens: Words }; history?: { entities: Words } }
/** `added` by the file's name: a page is sent it with the texts of that file. */
type Loaded = Record<string, object> & Added & { added: Record<string, Added> }

type Read = readonly (readonly [string, File])[]
const read = new Map<TextLocale, Promise<Read>>()
const loaded = new Map<TextLocale, Promise<Messages>>()
const withOwn = new WeakMap<OwnTexts, Promise<Messages>>()

export const isTextLocale = (locale: string): locale is TextLocale =>
  (textLocales as readonly string[]).includes(locale)

/** Joins the files: their namespaces, the names of their screens and entities; keeps errors and notices by file. */
function gather(texts: Read): Loaded {
  const all: Loaded = { added: {} }
  const screens: Words = {}
  const entities: Words = {}
  for (const [name, file] of texts) {
    if (file[name]) all[name] = file[name]
    Object.assign(screens, file.shell?.screens)
    Object.assign(entities, file.history?.entities)
    if (name === 'errors' || name === 'snackbar') continue
    const { errors, snackbar } = file
    if (errors || snackbar) all.added[name] = { errors, snackbar }
  }
  return { ...all, shell: { ...all.shell, screens }, history: { ...all.history, entities } }
}

// an SMS with a space that doesn't break leaves the GSM alphabet, and costs twice as much
const finished = (file: string, text: unknown) => (file === 'sms' ? text : typographicMessages(text))

function readFiles(locale: TextLocale): Promise<Read> {
  const known = read.get(locale)
  if (known) return known
  const texts = Object.entries(files[locale]).map(async ([name, file]) => {
    const { default: text } = await file()
    return [name, text as unknown as File] as const
  })
  const all = Promise.all(texts)
  read.set(locale, all)
  return all
}

const load = async (locale: TextLocale) =>
  gather((await readFiles(locale)).map(([name, file]) => [name, finished(name, file) as File])) as unknown as Messages

const ofFiles = (locale: string): TextLocale => (isTextLocale(locale) ? locale : textLocales[0])

/** The shipped texts of a locale, read once a process; of the default locale when there are none in this one. */
export function shippedMessages(locale: string): Promise<Messages> {
  const known = ofFiles(locale)
  const messages = loaded.get(known) ?? load(known)
  loaded.set(known, messages)
  return messages
}

const isText = (node: unknown) => typeof node === 'string' || Array.isArray(node)

/** Calls `visit` for each text of a file with its key, and returns the file with what that returned. */
function eachText(tree: object, visit: (key: string, text: unknown) => unknown, path = ''): object {
  const entries = Object.entries(tree).map(([name, node]) => {
    const key = path ? `${path}.${name}` : name
    return [name, isText(node) ? visit(key, node) : eachText(node, visit, key)]
  })
  return Object.fromEntries(entries)
}

const sourcesOf = new Map<TextLocale, Promise<ReadonlyMap<string, string>>>()

/** Returns the shipped texts of a locale as their authors write them, by key; of the default locale without any. */
export function messageSources(locale: string): Promise<ReadonlyMap<string, string>> {
  const known = ofFiles(locale)
  const sources = sourcesOf.get(known) ?? readSources(known)
  sourcesOf.set(known, sources)
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
 * Returns what puts own texts in place of those of these trees. The build parses messages, and its pages can't parse
 * any; other processes parse them as they need them.
 */
async function putting(trees: readonly object[], own: OwnTexts) {
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
    // others are answered meanwhile
    if (compiled.size % 20 === 19) await new Promise((resolve) => setImmediate(resolve))
    compiled.set(key, compile(text))
  }
  return (key: string, text: unknown) => compiled.get(key) ?? text
}

/** Returns all texts with these laid over those of mails or SMS, by key (`mail.invitation.subject`). */
export async function withMessageTexts(all: Messages, name: 'mail' | 'sms', own: OwnTexts): Promise<Messages> {
  if (own.size === 0) return all
  const tree = (all as unknown as Record<string, object>)[name] ?? {}
  const put = await putting([tree], own)
  const laid = eachText(tree, (key, text) => (own.has(key) ? finished(name, put(key, text)) : text), name)
  return { ...all, [name]: laid } as unknown as Messages
}

async function overlay(locale: string, own: OwnTexts): Promise<Messages> {
  const texts = await readFiles(ofFiles(locale))
  const put = await putting(
    texts.map(([, file]) => file),
    own,
  )
  return gather(texts.map(([name, file]) => [name, finished(name, eachText(file, put)) as File])) as unknown as Messages
}

/**
 * All texts of a locale: its own ones, which administrators wrote, else the shipped ones of the locale, else of the
 * default locale, text by text (docs/rules/texts-and-look.md#own-texts).
 */
export async function loadMessages(locale: string): Promise<Messages> {
  const own = await ownTexts(locale)
  if (own.size === 0) return shippedMessages(locale)
  const made = withOwn.get(own) ?? overlay(locale, own)
  withOwn.set(own, made)
  return made
}

/** Returns the locale whose words and numbers a page has: this one if there are texts in it, else the default one. */
export const wordLocale = async (locale: string): Promise<string> =>
  isTextLocale(locale) || (await ownTexts(locale)).size > 0 ? locale : textLocales[0]

/**
 * Texts that are sent to a browser. The type leaves out which, because comparing it with that of all texts would cost the
 * compiler a second for each page; tests/unit/page-texts.test.ts checks what a page sends.
 */
export type PickedMessages = Record<string, never>

/**
 * The namespaces that client components of a page need, by the files that hold them, so that the page carries no
 * others; with the errors and notices that those files add. `errors` and `snackbar` are those that every page may show.
 */
export function pickMessages(messages: Messages, names: readonly TextFile[]): PickedMessages {
  const { added, ...all } = messages as unknown as Loaded
  const picked: Loaded = { added: {} }
  for (const name of names) {
    if (name === 'errors' || name === 'snackbar') addShared(picked, { [name]: all[name] as Words })
    else if (all[name]) picked[name] = all[name]
    addShared(picked, added[name])
  }
  const { added: _, ...texts } = picked
  return texts as unknown as PickedMessages
}

/** Adds these errors and notices to those that are there. */
function addShared(texts: Added, { errors, snackbar }: Added = {}) {
  if (errors) texts.errors = { ...texts.errors, ...errors }
  if (snackbar) texts.snackbar = { ...texts.snackbar, ...snackbar }
}
