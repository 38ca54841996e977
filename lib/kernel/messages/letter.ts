/** A color of each theme. */
type Shades = { brand: string; ink: string; tint: string }

/** How the domain that writes looks. `brand` is its accent, `ink` what is written on it, `tint` what stands behind. */
export type Look = { light: Shades; dark: Shades }

/** Who writes: the domain's project name in the receiver's language, its address, look, and where to ask for help. */
export type Sender = {
  project: string
  origin: string
  look: Look
  support: { text: string; link: string } | null
}

type Fact = { label: string; value: string }
export type LetterItem = { title: string; text: string; when: string; link: string }

export type Block =
  | { kind: 'text'; text: string }
  /** In small: what to do if it wasn't you. */
  | { kind: 'note'; text: string }
  | { kind: 'code'; code: string }
  | { kind: 'facts'; facts: Fact[] }
  | { kind: 'list'; label: string; items: string[] }
  /** Somebody's own words. */
  | { kind: 'quote'; label: string; text: string }
  | { kind: 'button'; label: string; link: string }
  | { kind: 'items'; items: LetterItem[] }

/** What a mail says, before it is drawn as text or as HTML. Every string is plain text. */
export type Letter = {
  locale: string
  subject: string
  /** What lists of mails show beside the subject. */
  preheader: string
  heading: string
  greeting: string
  blocks: Block[]
  /** Words around the letter, in its language. */
  words: { linkBelow: string; support: string; automatic: string }
  /** Where the subscription that it comes from is changed; empty for mails that nobody can switch off. */
  unsubscribe: string
  sender: Sender
}
