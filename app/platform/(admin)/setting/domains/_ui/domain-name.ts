type DomainNames = { aliases: readonly string[]; comment: string; base: boolean }
type Words = (key: 'baseName' | 'nameless') => string

/** Returns the name of a domain: its first host name, else its comment, else the text of its kind. */
export const domainName = ({ aliases, comment, base }: DomainNames, t: Words) =>
  aliases[0] ?? (comment || t(base ? 'baseName' : 'nameless'))
