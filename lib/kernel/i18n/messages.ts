import type { Messages } from 'next-intl'
import { type TextLocale, textLocales } from './choose-locale'
import { files } from './message-files.generated'
import { typographicMessages } from './typography'

/** A file of texts by its name. Most have a namespace of that name. */
export type TextFile = keyof (typeof files)['ru']

type Words = Record<string, string>
/** What a file adds to texts that pages share. */
type Added = { errors?: Words; snackbar?: Words }
type File = Record<string, object> & Added & { shell?: { screens: Words }; history?: { entities: Words } }
/** `added` by the file's name: a page is sent it with the texts of that file. */
type Loaded = Record<string, object> & Added & { added: Record<string, Added> }

const loaded = new Map<TextLocale, Promise<Messages>>()

export const isTextLocale = (locale: string): locale is TextLocale =>
  (textLocales as readonly string[]).includes(locale)

/** Joins the files: their namespaces, the names of their screens and entities; keeps errors and notices by file. */
function gather(texts: readonly (readonly [string, File])[]): Loaded {
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

async function load(locale: TextLocale): Promise<Messages> {
  const texts = Object.entries(files[locale]).map(async ([name, file]) => {
    const { default: text } = await file()
    // an SMS with a space that doesn't break leaves the GSM alphabet, and costs twice as much
    return [name, name === 'sms' ? text : typographicMessages(text)] as const
  })
  return gather((await Promise.all(texts)) as [string, File][]) as unknown as Messages
}

/** All texts of a locale, read once a process; of the default locale when there are none in this one. */
export function loadMessages(locale: string): Promise<Messages> {
  const known = isTextLocale(locale) ? locale : textLocales[0]
  const messages = loaded.get(known) ?? load(known)
  loaded.set(known, messages)
  return messages
}

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
