/** The colors of one theme. */
type Shades = { brand: string; ink: string; tint: string }

/** The look of the sending domain: `brand` is its accent color, `ink` the text on it, `tint` a background. */
export type Look = { light: Shades; dark: Shades }

/**
 * The sender of a mail: the project name in the language of the receiver, the address and look of the domain, and the
 * contact for help.
 */
export type Sender = {
  project: string
  origin: string
  look: Look
  support: { text: string; link: string } | null
  /** The domain whose own texts the mail has. */
  domainId?: string
}

type Fact = { label: string; value: string }
export type LetterItem = { title: string; text: string; when: string; link: string }

export type Block =
  | { kind: 'text'; text: string }
  /** In small letters: what to do if it was not you. */
  | { kind: 'note'; text: string }
  | { kind: 'code'; code: string }
  | { kind: 'facts'; facts: Fact[] }
  | { kind: 'list'; label: string; items: string[] }
  /** A text that somebody wrote. */
  | { kind: 'quote'; label: string; text: string }
  | { kind: 'button'; label: string; link: string }
  | { kind: 'items'; items: LetterItem[] }

/** The content of a mail before it is rendered as text or HTML. Every string is plain text. */
export type Letter = {
  locale: string
  subject: string
  /** The text that lists of mails show beside the subject. */
  preheader: string
  heading: string
  greeting: string
  blocks: Block[]
  /** Texts around the letter, in its language. */
  words: { linkBelow: string; support: string; automatic: string }
  /** The address at which the subscription is changed; empty for mails that can not be switched off. */
  unsubscribe: string
  sender: Sender
}
