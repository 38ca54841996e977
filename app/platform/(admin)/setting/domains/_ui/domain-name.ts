type Named = { aliases: readonly string[]; comment: string; base: boolean }
type Words = (key: 'baseName' | 'nameless') => string

/** What a domain is called: its first host name, else its comment, else what it is. */
export const domainName = ({ aliases, comment, base }: Named, t: Words) =>
  aliases[0] ?? (comment || t(base ? 'baseName' : 'nameless'))
